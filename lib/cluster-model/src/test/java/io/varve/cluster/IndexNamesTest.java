package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "logs-2026.01.01", ".hidden", "größe", "1_2+3", "..."})
  void takes(String name) {
    assertThat(IndexNames.refusal(name)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "a b ~ must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]",
        "a*  ~ must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]",
        "a,b ~ must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]",
        "a#b ~ must not contain '#'",
        "a:b ~ must not contain ':'",
        "_a  ~ must not start with '_', '-', or '+'",
        "-a  ~ must not start with '_', '-', or '+'",
        "+a  ~ must not start with '_', '-', or '+'",
        ".   ~ must not be '.' or '..'",
        "..  ~ must not be '.' or '..'",
        "Aa  ~ must be lowercase",
      })
  void refuses(String name, String problem) {
    ErrorBody error = IndexNames.refusal(name).orElseThrow();
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("invalid_index_name_exception");
    assertThat(error.reason()).isEqualTo("Invalid index name [" + name + "], " + problem);
    assertThat(error.fields()).containsEntry("index", name).containsEntry("index_uuid", "_na_");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\nb", "a\u007fb", "a\ud800b"})
  void refusesWhatNoUrlCanName(String name) {
    assertThat(IndexNames.refusal(name).orElseThrow().reason())
        .endsWith("must not contain control characters or halves of characters");
  }

  @Test
  void countsBytesNotCharacters() {
    assertThat(IndexNames.refusal("ö".repeat(127))).isEmpty();
    assertThat(IndexNames.refusal("ö".repeat(128)).orElseThrow().reason())
        .endsWith("index name is too long, (256 > 255)");
  }
}
