package io.varve.standalone.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineDocumentsTest {

  private final List<String> documents = new ArrayList<>();

  private LineDocuments read(String text) throws Exception {
    LineDocuments lines = new LineDocuments(new ByteArrayInputStream(text.getBytes(UTF_8)));
    lines.forEach((document, line) -> documents.add(line + " " + document));
    return lines;
  }

  @Test
  void blankLinesAreSkippedAndCounted() throws Exception {
    LineDocuments lines = read("{\"n\":1}\r\n\n  \n {\"n\":\"ü\"}");

    assertThat(documents).containsExactly("1 {\"n\":1}", "4 {\"n\":\"ü\"}");
    assertThat(lines.position()).isEqualTo(24);
  }

  @Test
  void readingEndsWhenNoMoreAreWanted() throws Exception {
    LineDocuments lines = new LineDocuments(new ByteArrayInputStream("{}\n{}\n{}".getBytes(UTF_8)));
    lines.forEach((document, _) -> documents.add(document) && documents.size() < 2);

    assertThat(documents).hasSize(2);
  }

  @Test
  void bytesThatAreNotUtf8AreAnErrorInsteadOfAnotherText() {
    LineDocuments lines =
        new LineDocuments(new ByteArrayInputStream(new byte[] {'{', (byte) 0xff, '}'}));

    assertThatThrownBy(() -> lines.forEach((_, _) -> true))
        .isInstanceOf(CharacterCodingException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"index\":{}}", "\n{\"create\":{\"_index\":\"a\",\"_id\":\"1\"}}"})
  void theBodyOfABulkRequestIsRefused(String text) {
    assertThatThrownBy(() -> read(text + "\n{\"n\":1}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is an action of a bulk request, not a document");
    assertThat(documents).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"index\":1}", "{\"delete\":{},\"n\":1}", "{\"broken\"", "{}"})
  void whatOnlyLooksLikeAnActionIsADocument(String text) throws Exception {
    read(text);

    assertThat(documents).containsExactly("1 " + text);
  }
}
