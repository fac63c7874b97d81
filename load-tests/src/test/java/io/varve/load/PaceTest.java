package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {

  private static final long MILLI = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    // bulks per second, bulk, milliseconds since the beginning, wait in milliseconds
    "4, 0,   0,   0",
    "4, 1,   0, 250",
    "4, 1, 100, 150",
    "4, 1, 400,   0",
    "4, 3, 400, 350",
    "0.5, 2, 0, 4000",
    "Infinity, 0, 0, 0",
    "Infinity, 9, 0, 0",
  })
  void aBulkIsSentWhenItIsDueThoughOthersWereLate(
      double bulksPerSecond, int bulk, long sinceMillis, long waitMillis)
      throws InterruptedException {
    VirtualClock clock = new VirtualClock();
    clock.pass(7_000 * MILLI);
    Pace pace = new Pace(clock, clock.nanos(), bulksPerSecond);
    clock.pass(sinceMillis * MILLI);
    long beforeNanos = clock.nanos();

    pace.awaitTurn(bulk);

    assertThat(clock.nanos() - beforeNanos).isEqualTo(waitMillis * MILLI);
  }
}
