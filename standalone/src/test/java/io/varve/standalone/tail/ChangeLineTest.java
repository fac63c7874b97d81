package io.varve.standalone.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.changes.Change;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangeLineTest {

  private static Change change(Change.Kind kind, byte @Nullable [] source) {
    return new Change("books", 2, "a\"b", 7, 3, 4, kind, null, source, 99);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aLineHasTheDocumentAsItWasSent() {
    assertThat(ChangeLine.of(change(Change.Kind.INDEX, bytes("{ \"n\":\n  1.0 }\r\n"))))
        .isEqualTo(
            "{\"index\":\"books\",\"shard\":2,\"_id\":\"a\\\"b\",\"_seq_no\":7,\"_primary_term\":3,"
                + "\"_version\":4,\"operation\":\"index\",\"_source\":{ \"n\":   1.0 }}");
  }

  @Test
  void aDeleteHasNoDocument() {
    assertThat(ChangeLine.of(change(Change.Kind.DELETE, null)))
        .endsWith("\"operation\":\"delete\"}");
  }

  @Test
  void aDocumentInAnotherFormatIsShownInBase64() {
    assertThat(ChangeLine.of(change(Change.Kind.INDEX, new byte[] {(byte) 0xbf, (byte) 0xff})))
        .endsWith("\"_source_base64\":\"v/8=\"}");
  }
}
