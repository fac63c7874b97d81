package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DocumentsWireTest {

  @Test
  void whatIsWantedIsReadAsItWasWritten() {
    List<DocumentsWire.Wanted> wanted =
        List.of(
            new DocumentsWire.Wanted("1", Set.of()),
            new DocumentsWire.Wanted("ü/2", Set.of("f", "g&h")));

    assertThat(DocumentsWire.decodeWanted(DocumentsWire.encodeWanted(wanted))).isEqualTo(wanted);
  }

  @Test
  void whatWasFoundIsReadInItsOrder() {
    byte[] source = "{\n\"f\":1}".getBytes(StandardCharsets.UTF_8);
    List<DocumentsWire.Result> found =
        List.of(
            new DocumentsWire.Result.Read(new GetResult(true, "1", "r", 3, 4, 5, source)),
            new DocumentsWire.Result.Failed(ErrorBody.of(503, "t", "why").with("seq_no", 7)),
            new DocumentsWire.Result.Read(GetResult.missing("2")),
            new DocumentsWire.Result.Read(new GetResult(true, "3", null, 1, 9, 5, new byte[0])));

    assertThat(DocumentsWire.decodeResults(DocumentsWire.encodeResults(found)))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(found);
  }

  @Test
  void whatIsCutOffIsNoAnswer() {
    byte[] answer =
        DocumentsWire.encodeResults(List.of(new DocumentsWire.Result.Read(GetResult.missing("2"))));
    byte[] cut = Arrays.copyOf(answer, answer.length - 1);

    assertThatThrownBy(() -> DocumentsWire.decodeResults(cut))
        .isInstanceOf(MalformedRecordException.class);
  }
}
