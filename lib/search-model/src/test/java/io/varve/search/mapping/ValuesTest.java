package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

  private static final long NOW = Instant.parse("2024-03-15T10:20:30.400Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "LONG, 12, 12",
    "LONG, 1.9, 1",
    "LONG, -1.9, -1",
    "LONG, 1e3, 1000",
    "LONG, 9223372036854775807, 9223372036854775807",
    "BYTE, -128, -128",
    "INTEGER, 1e-999999999, 0"
  })
  void readsWholeNumbers(FieldType type, String text, long expected) {
    assertThat(Values.whole(type, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          LONG    ¦ abc                  ¦ For input string: "abc"
          INTEGER ¦ 2147483648           ¦ Value [2147483648] is out of range for an integer
          BYTE    ¦ 128                  ¦ Value [128] is out of range for a byte
          LONG    ¦ 9223372036854775808  ¦ Value [9223372036854775808] is out of range for a long
          LONG    ¦ 1e999999999          ¦ Value [1e999999999] is out of range for a long
          """)
  void refusesMalformedIntegers(FieldType type, String text, String reason) {
    assertThatThrownBy(() -> Values.whole(type, text)).hasMessage(reason);
  }

  @Test
  void refusesDecimalsThatATypeCannotHold() {
    assertThatThrownBy(() -> Values.decimal(FieldType.FLOAT, 1e300))
        .hasMessageContaining("[float] supports only finite values");
    assertThatThrownBy(() -> Values.decimal(FieldType.HALF_FLOAT, 70000))
        .hasMessageContaining("[half_float] supports only finite values");
    assertThatThrownBy(() -> Values.decimal(FieldType.DOUBLE, "NaN"))
        .hasMessageContaining("finite");
    assertThat(Values.decimal(FieldType.DOUBLE, BigInteger.TEN)).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "::1", "2001:db8::ff", "1:0:2::", "::"})
  void addressesAreWrittenAsTheyWereRead(String text) throws Exception {
    assertThat(Values.addressText(InetAddress.getByAddress(Values.address(text)))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.2.3", "256.1.1.1", "example.org", "fe80::1%lo", "g::1"})
  void refusesMalformedAddresses(String text) {
    assertThatThrownBy(() -> Values.address(text))
        .hasMessage("'" + text + "' is not an IP string literal.");
  }

  @Test
  void readsEverySpellingOfAPoint() {
    GeoPoint point = new GeoPoint(40.75, -73.99);
    assertThat(GeoPoint.parse(Map.of("lat", 40.75, "lon", "-73.99"))).isEqualTo(point);
    assertThat(GeoPoint.parse(List.of(-73.99, 40.75))).isEqualTo(point);
    assertThat(GeoPoint.parse("40.75, -73.99")).isEqualTo(point);
    assertThat(GeoPoint.parse("POINT (-73.99 40.75)")).isEqualTo(point);
    assertThat(GeoPoint.parse("dr5ru").lat()).isCloseTo(40.75, within(0.05));
    assertThat(GeoPoint.parseAll(List.of(List.of(1, 2), "3,4")))
        .containsExactly(new GeoPoint(2, 1), new GeoPoint(3, 4));
    assertThatThrownBy(() -> GeoPoint.parse("91,0")).hasMessage("illegal latitude value [91.0]");
    assertThatThrownBy(() -> GeoPoint.parse(Map.of("lat", 1))).hasMessage("field [lon] missing");
  }

  @ParameterizedTest
  @CsvSource({
    "strict_date_optional_time, 2014, 2014-01-01T00:00:00Z, 2014-12-31T23:59:59.999Z",
    "strict_date_optional_time, 2014-02, 2014-02-01T00:00:00Z, 2014-02-28T23:59:59.999Z",
    "strict_date_optional_time, 2014-02-03T04, 2014-02-03T04:00:00Z, 2014-02-03T04:59:59.999Z",
    "strict_date_optional_time, 2014-02-03T04:05:06.7+02:00, 2014-02-03T02:05:06.700Z,"
        + " 2014-02-03T02:05:06.700Z",
    "strict_date_optional_time, 2014-02-03T04:05:06Z, 2014-02-03T04:05:06Z,"
        + " 2014-02-03T04:05:06.999Z",
    "epoch_second, 1420070400, 2015-01-01T00:00:00Z, 2015-01-01T00:00:00Z",
    "epoch_millis, -1, 1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "yyyy-MM-dd HH:mm:ss, 2015-01-01 00:34:42, 2015-01-01T00:34:42Z, 2015-01-01T00:34:42.999Z",
    "dd/MM/yyyy||epoch_millis, 02/01/2015, 2015-01-02T00:00:00Z, 2015-01-02T23:59:59.999Z",
    "dd/MM/yyyy||epoch_millis, 5, 1970-01-01T00:00:00.005Z, 1970-01-01T00:00:00.005Z"
  })
  void readsDates(String format, String text, Instant start, Instant end) {
    DateFormat dates = DateFormat.of(format);
    assertThat(Instant.ofEpochMilli(dates.parse(text, ZoneOffset.UTC, false))).isEqualTo(start);
    assertThat(Instant.ofEpochMilli(dates.parse(text, ZoneOffset.UTC, true))).isEqualTo(end);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2014-13",
        "2014-02-30",
        "2014-02-03T25",
        "2014-2-3",
        "2014-02-03 04:05",
        "99999999999999999999999",
        "2014-02-03T04:05:06.Z",
        "2014Z"
      })
  void refusesMalformedDates(String text) {
    assertThatThrownBy(() -> DateFormat.DEFAULT.parse(text))
        .hasMessage(
            "failed to parse date field ["
                + text
                + "] with format [strict_date_optional_time||epoch_millis]");
  }

  @ParameterizedTest
  @CsvSource({
    "now, false, 2024-03-15T10:20:30.400Z",
    "now-1d/d, false, 2024-03-14T00:00:00Z",
    "now-1d/d, true, 2024-03-14T23:59:59.999Z",
    "now/w, false, 2024-03-11T00:00:00Z",
    "now/M, true, 2024-03-31T23:59:59.999Z",
    "now+1y-2h, false, 2025-03-15T08:20:30.400Z",
    "2024-01-31||+1M, false, 2024-02-29T00:00:00Z",
    "2024-01-31||/y, true, 2024-12-31T23:59:59.999Z"
  })
  void calculatesWithDates(String math, boolean toEnd, Instant expected) {
    DateMath dates = new DateMath(DateFormat.DEFAULT, NOW, ZoneOffset.UTC);
    assertThat(Instant.ofEpochMilli(dates.millis(math, toEnd))).isEqualTo(expected);
  }

  @Test
  void roundsInTheRequestedTimeZone() {
    DateMath dates = new DateMath(DateFormat.DEFAULT, NOW, ZoneId.of("America/New_York"));
    // The night of the 10th had one hour less.
    assertThat(Instant.ofEpochMilli(dates.millis("2024-03-10", false)))
        .isEqualTo(Instant.parse("2024-03-10T05:00:00Z"));
    assertThat(Instant.ofEpochMilli(dates.millis("2024-03-10", true)))
        .isEqualTo(Instant.parse("2024-03-11T03:59:59.999Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now+",
        "now+1",
        "now+1q",
        "now*2d",
        "now/2d",
        "x||+1d",
        "now+99999999999999999999d"
      })
  void refusesMalformedDateMath(String math) {
    DateMath dates = new DateMath(DateFormat.DEFAULT, NOW, ZoneOffset.UTC);
    assertThatThrownBy(() -> dates.millis(math, false))
        .isInstanceOfSatisfying(
            ValueException.class, e -> assertThat(e.error().type()).isEqualTo("parse_exception"));
  }

  @Test
  void writesDatesInTheFirstFormat() {
    assertThat(DateFormat.DEFAULT.print(0)).isEqualTo("1970-01-01T00:00:00.000Z");
    assertThat(DateFormat.of("yyyy-MM-dd HH:mm:ss||epoch_millis").print(1420072482000L))
        .isEqualTo("2015-01-01 00:34:42");
  }

  @Test
  void pointsAreReadFromGeoJson() {
    assertThat(
            GeoPoint.parse(
                java.util.Map.of("type", "Point", "coordinates", java.util.List.of(4.5, 52.25))))
        .isEqualTo(new GeoPoint(52.25, 4.5));
  }
}
