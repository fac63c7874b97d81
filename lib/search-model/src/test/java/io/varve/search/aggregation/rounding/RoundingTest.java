package io.varve.search.aggregation.rounding;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundingTest {

  private static final List<CalendarUnit> UNITS = List.of(CalendarUnit.values());

  @ParameterizedTest
  @CsvSource({
    "SECOND, UTC, 2024-05-06T07:08:09.500Z, 2024-05-06T07:08:09Z",
    "MINUTE, Asia/Kolkata, 2024-05-06T07:08:09Z, 2024-05-06T07:08:00Z",
    "HOUR, Asia/Kolkata, 2024-05-06T07:08:09Z, 2024-05-06T06:30:00Z",
    "DAY, UTC, 1969-12-31T23:59:59Z, 1969-12-31T00:00:00Z",
    "DAY, America/New_York, 2024-03-10T12:00:00Z, 2024-03-10T05:00:00Z",
    "DAY, America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z",
    "WEEK, UTC, 2024-05-05T12:00:00Z, 2024-04-29T00:00:00Z",
    "MONTH, Europe/Berlin, 2024-04-15T12:00:00Z, 2024-03-31T22:00:00Z",
    "QUARTER, UTC, 2024-06-30T12:00:00Z, 2024-04-01T00:00:00Z",
    "YEAR, Europe/Berlin, 2024-06-30T12:00:00Z, 2023-12-31T23:00:00Z",
    "HOUR, Europe/Berlin, 2024-10-27T00:30:00Z, 2024-10-27T00:00:00Z",
    "HOUR, Europe/Berlin, 2024-10-27T01:30:00Z, 2024-10-27T01:00:00Z"
  })
  void roundsDownToTheUnit(CalendarUnit unit, String zone, String time, String start) {
    Rounding rounding = Rounding.calendar(unit, ZoneId.of(zone), 0);
    assertThat(Instant.ofEpochMilli(rounding.round(millis(time)))).isEqualTo(Instant.parse(start));
  }

  @ParameterizedTest
  @CsvSource({
    // The clock is set from 2 to 3: the interval has fewer hours.
    "10800000, Europe/Berlin, 2024-03-31T03:30:00Z, 2024-03-31T01:00:00Z",
    "7200000, Europe/Berlin, 2024-03-31T01:30:00Z, 2024-03-31T01:00:00Z",
    // The clock is set from 3 to 2: the interval that began before continues.
    "10800000, Europe/Berlin, 2024-10-27T01:30:00Z, 2024-10-26T22:00:00Z",
    "86400000, UTC, 2024-10-27T01:30:00Z, 2024-10-27T00:00:00Z",
    "5184000000, UTC, 1970-01-02T00:00:00Z, 1970-01-01T00:00:00Z"
  })
  void roundsDownToTheInterval(long step, String zone, String time, String start) {
    Rounding rounding = Rounding.fixed(step, ZoneId.of(zone), 0);
    assertThat(Instant.ofEpochMilli(rounding.round(millis(time)))).isEqualTo(Instant.parse(start));
  }

  @ParameterizedTest
  @CsvSource({
    "21600000, 2024-05-06T07:00:00Z, 2024-05-06T06:00:00Z",
    "21600000, 2024-05-06T05:00:00Z, 2024-05-05T06:00:00Z",
    "-3600000, 2024-05-06T23:30:00Z, 2024-05-06T23:00:00Z"
  })
  void startsAreMovedByAnOffset(long offset, String time, String start) {
    Rounding rounding = Rounding.calendar(CalendarUnit.DAY, ZoneId.of("UTC"), offset);
    assertThat(Instant.ofEpochMilli(rounding.round(millis(time)))).isEqualTo(Instant.parse(start));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "+05:30", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"})
  void aStartRoundsToItselfAndTheNextStartFollows(String zone) {
    long seed = zone.hashCode();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      CalendarUnit unit = UNITS.get(random.nextInt(UNITS.size()));
      Rounding rounding =
          random.nextBoolean()
              ? Rounding.calendar(unit, ZoneId.of(zone), 0)
              : Rounding.fixed((1 + random.nextInt(100)) * 600_000L, ZoneId.of(zone), 0);
      long time = random.nextLong(-1_000_000_000_000L, 3_000_000_000_000L);
      long start = rounding.round(time);
      long next = rounding.next(start);
      assertThat(start).isLessThanOrEqualTo(time);
      assertThat(next).isGreaterThan(start);
      assertThat(rounding.round(start)).isEqualTo(start);
      assertThat(rounding.round(next)).isEqualTo(next);
      assertThat(rounding.prepare(time - 1, time + 1).round(time)).isEqualTo(start);
    }
  }

  private static long millis(String time) {
    return Instant.parse(time).toEpochMilli();
  }
}
