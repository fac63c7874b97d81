package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateFormatTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          basic_date                   | 20140102                  | 2014-01-02T00:00:00Z
          basic_date_time              | 20140102T030405.678Z      | 2014-01-02T03:04:05.678Z
          basic_ordinal_date           | 2014002                   | 2014-01-02T00:00:00Z
          basic_week_date              | 2014W013                  | 2014-01-01T00:00:00Z
          date_hour                    | 2014-01-02T03             | 2014-01-02T03:00:00Z
          date_hour_minute             | 2014-1-2T3:4              | 2014-01-02T03:04:00Z
          strict_date_hour_minute_second_millis | 2014-01-02T03:04:05.678 | 2014-01-02T03:04:05.678Z
          date_time_no_millis          | 2014-01-02T03:04:05+01:00 | 2014-01-02T02:04:05Z
          hour_minute                  | 03:04                     | 1970-01-01T03:04:00Z
          ordinal_date                 | 2014-002                  | 2014-01-02T00:00:00Z
          time                         | 03:04:05.678Z             | 1970-01-01T03:04:05.678Z
          t_time_no_millis             | T03:04:05Z                | 1970-01-01T03:04:05Z
          strict_week_date             | 2014-W01-3                | 2014-01-01T00:00:00Z
          weekyear_week                | 2014-W02                  | 2014-01-06T00:00:00Z
          strict_weekyear              | 2014                      | 2013-12-30T00:00:00Z
          year_month                   | 2014-02                   | 2014-02-01T00:00:00Z
          date_optional_time           | 2014-1-2                  | 2014-01-02T00:00:00Z
          epoch_second                 | 1388631845                | 2014-01-02T03:04:05Z
          dd/MM/yyyy                   | 02/01/2014                | 2014-01-02T00:00:00Z
          """)
  void readsByName(String format, String text, String instant) {
    assertThat(DateFormat.of(format).instant(text, ZoneOffset.UTC, false))
        .isEqualTo(Instant.parse(instant));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          strict_date               | 2014-1-2
          strict_date_time          | 2014-01-02T03:04:05.678
          strict_date_optional_time | 2014-1-2
          strict_hour_minute        | 3:4
          basic_date                | 2014-01-02
          """)
  void refusesTextsOfAnotherFormat(String format, String text) {
    assertThatThrownBy(() -> DateFormat.of(format).parse(text))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("failed to parse date field [" + text + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strict_date_optional_time",
        "epoch_second",
        "basic_week_date",
        "uuuu-MM-dd",
        "8yyyy/M/d HH:mm:ss.SSSXXX",
        "dd.MM.uuuu'MMM at' hh 'E'",
        "uuuu-Q'T'DDD Z"
      })
  void someFormatsPrintOnlyDigits(String format) {
    assertThat(DateFormat.of(format).writesNumbersAlone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dd/MMM/yyyy",
        "LLLL",
        "E",
        "ccc",
        "e",
        "hh a",
        "h B",
        "G yyyy",
        "QQQ",
        "YYYY",
        "w",
        "W",
        "ZZZZ",
        "z",
        "VV",
        "O",
        "MMM||uuuu"
      })
  void namesAndWeeksDependOnTheLocale(String format) {
    assertThat(DateFormat.of(format).writesNumbersAlone()).isFalse();
  }

  @Test
  void keepsNanoseconds() {
    DateFormat format = DateFormat.of("strict_date_optional_time_nanos||epoch_millis");
    long nanos = format.parseNanos("2018-10-29T12:12:12.123456789Z");
    assertThat(nanos).isEqualTo(1_540_815_132_123_456_789L);
    assertThat(format.print(DateFormat.ofNanos(nanos), ZoneOffset.UTC))
        .isEqualTo("2018-10-29T12:12:12.123456789Z");
    assertThat(format.parseNanos("1540815132123.456789")).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"1969-12-31T00:00:00Z,before the epoch", "2300-01-01T00:00:00Z,is after 2262"})
  void nanosecondsEndWhereALongDoes(String date, String reason) {
    assertThatThrownBy(() -> DateFormat.DEFAULT.parseNanos(date)).hasMessageContaining(reason);
  }

  @Test
  void namesOfMonthsAreInTheLanguage() {
    DateFormat format = DateFormat.of("d MMMM yyyy", "de");
    assertThat(format.parse("6 Dezember 2000"))
        .isEqualTo(Instant.parse("2000-12-06T00:00:00Z").toEpochMilli());
  }
}
