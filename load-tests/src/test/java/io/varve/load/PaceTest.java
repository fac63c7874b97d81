package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {

  private static final long BEGAN_MILLIS = 7_000;

  /** A clock that stands still and records the wait. */
  private static final class RecordingClock implements LoadClock {
    private final long nanos;
    private long waitedNanos;

    RecordingClock(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.ofEpochSecond(0, nanos);
    }

    @Override
    public void sleepNanos(long nanos) {
      waitedNanos = Math.max(0, nanos);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // bulks per second, bulk, milliseconds since the beginning, wait in milliseconds
    "4, 0,   0,   0",
    "4, 1,   0, 250",
    "4, 1, 100, 150",
    "4, 1, 400,   0",
    "4, 3, 400, 350",
    "0.5, 2, 0, 4000",
  })
  void aBulkIsSentWhenItIsDueThoughOthersWereLate(
      double bulksPerSecond, int bulk, long sinceMillis, long waitMillis)
      throws InterruptedException {
    RecordingClock clock = new RecordingClock((BEGAN_MILLIS + sinceMillis) * 1_000_000);

    new Pace.Steady(clock, BEGAN_MILLIS * 1_000_000, bulksPerSecond).awaitTurn(bulk);

    assertThat(clock.waitedNanos).isEqualTo(waitMillis * 1_000_000);
  }
}
