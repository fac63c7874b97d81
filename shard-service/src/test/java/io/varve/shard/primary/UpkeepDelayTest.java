package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a primary does its periodic work next. */
class UpkeepDelayTest {

  private static final long NOW = 1_000_000;

  @ParameterizedTest(name = "interval {0}, last refresh ended {1} ms ago: {2}")
  @CsvSource({
    "1000,     0, 1000",
    "1000,   995,    5",
    "1000,  1000, 1000",
    "1000, 90000, 1000",
    " 100,    40,   60",
    " 100,   100,  100",
    "   5,     1,    4",
    "   5,     9,   20",
    "   0,     9,   20",
    "5000,  1000, 1000",
    "5000,  4500,  500",
    "5000,  9000, 1000",
    "  -1,  4500, 1000",
    "1000, -9000, 1000"
  })
  void theWorkIsDoneWhenARefreshIsDueAndAtLeastOnceASecond(
      long intervalMillis, long agoMillis, long expectedMillis) {
    assertThat(UpkeepDelay.millis(intervalMillis, NOW - agoMillis, NOW)).isEqualTo(expectedMillis);
  }

  @ParameterizedTest(name = "interval {0}, a refresh takes {1} ms")
  @CsvSource({"1000, 8", "1000, 0", "1000, 300", "100, 8", "20, 3", "5000, 8"})
  void documentsThatAreWrittenAllTheTimeAreShownAtTheInterval(
      long intervalMillis, long refreshMillis) {
    List<Long> begun = beginnings(intervalMillis, refreshMillis, 20);

    for (int i = 1; i < begun.size(); i++) {
      assertThat(begun.get(i) - begun.get(i - 1)).isEqualTo(intervalMillis + refreshMillis);
    }
  }

  /** When refreshes begin, while each run of the periodic work finds something to show. */
  private static List<Long> beginnings(long intervalMillis, long refreshMillis, int count) {
    List<Long> begun = new ArrayList<>();
    long now = NOW;
    long endMillis = NOW - intervalMillis;
    while (begun.size() < count) {
      if (now - endMillis >= intervalMillis) {
        begun.add(now);
        // The delay is computed before the refresh ends, on another thread.
        now += UpkeepDelay.millis(intervalMillis, endMillis, now);
        endMillis = begun.getLast() + refreshMillis;
      } else {
        now += UpkeepDelay.millis(intervalMillis, endMillis, now);
      }
    }
    return begun;
  }
}
