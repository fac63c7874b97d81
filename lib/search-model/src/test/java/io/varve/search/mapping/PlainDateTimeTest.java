package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainDateTimeTest {

  @Test
  void agreesWithTheParserOfTheJdk() {
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern(PlainDateTime.PATTERN);
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      long seconds = random.nextLong(-62_167_219_200L, 253_402_300_800L);
      String text = formatter.format(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC));
      assertThat(PlainDateTime.parse(text)).as(text).isEqualTo(seconds * 1000);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2015-02-29 00:00:00",
        "2015-13-01 00:00:00",
        "2015-01-01T00:00:00",
        "2015-01-01 24:00:00",
        "2015-01-01 00:60:00",
        "2015-01-0x 00:00:00",
        "2015-01-01 00:00",
        ""
      })
  void leavesOtherTextsToTheGeneralParser(String text) {
    assertThat(PlainDateTime.parse(text)).isEqualTo(PlainDateTime.NONE);
  }
}
