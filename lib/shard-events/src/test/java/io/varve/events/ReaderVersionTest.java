package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReaderVersionTest {

  @ParameterizedTest
  @CsvSource({
    "10.6/2, 10.6/2, true",
    "10.6/2, 10.6/1, true",
    "10.6/2, 10.5/2, true",
    "10.6/2, 9.12/1, true",
    "10.6/2, 10.6/3, false",
    "10.6/2, 10.7/2, false",
    "10.6/2, 11.0/2, false",
    "10.9/2, 10.10/2, false",
  })
  void aProcessReadsTheFormatsUpToItsOwn(String reader, String writer, boolean reads) {
    assertThat(ReaderVersion.parse(reader).reads(ReaderVersion.parse(writer))).isEqualTo(reads);
    assertThat(ReaderVersion.parse(reader).isOlderThan(ReaderVersion.parse(writer)))
        .isNotEqualTo(reads);
  }

  @Test
  void anUnknownVersionIsOlderThanEachAnnouncedOne() {
    assertThat(ReaderVersion.UNKNOWN.isOlderThan(ReaderVersion.parse("0.1/0"))).isTrue();
    assertThat(ReaderVersion.UNKNOWN.reads(ReaderVersion.UNKNOWN)).isTrue();
    assertThat(ReaderVersion.UNKNOWN).hasToString("unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "10.6", "10.6.0", "10/2", "-1.6/2", "10.6/2 ", "a.b/c"})
  void otherTextIsNoVersionAndAnAttributeWithItAnnouncesNone(String text) {
    assertThatThrownBy(() -> ReaderVersion.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a reader version: [" + text + "]");
    assertThat(ReaderVersion.announced(text)).isEqualTo(ReaderVersion.UNKNOWN);
  }

  @Test
  void aNodeAnnouncesItsVersionOrNone() {
    assertThat(ReaderVersion.announced("10.6/2")).isEqualTo(new ReaderVersion(10, 6, 2));
    assertThat(ReaderVersion.announced(null)).isEqualTo(ReaderVersion.UNKNOWN);
  }

  @Test
  void negativePartsAreRejected() {
    assertThatThrownBy(() -> new ReaderVersion(10, -1, 2))
        .hasMessage("the parts of a reader version are >= 0, were 10, -1, 2");
  }

  @Test
  void itsJsonIsItsText() {
    byte[] json = Json.write(new ReaderVersion(10, 6, 2));

    assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("\"10.6/2\"");
    assertThat(Json.read(json, ReaderVersion.class)).isEqualTo(new ReaderVersion(10, 6, 2));
  }
}
