package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The clock for the intervals of pullers. */
class SteadyTimeTest {

  private Instant timeOfDay = Instant.ofEpochSecond(1_000);
  private long nanos = -5;
  private final SteadyTime clock = new SteadyTime(() -> timeOfDay, () -> nanos);

  @Test
  void itBeginsAtTheTimeOfDay() {
    assertThat(clock.millis()).isEqualTo(1_000_000);
  }

  @Test
  void aTimeOfDayThatIsSetDoesNotMoveIt() {
    timeOfDay = timeOfDay.minus(Duration.ofDays(1));
    nanos += Duration.ofMillis(30).toNanos();

    assertThat(clock.millis()).isEqualTo(1_000_030);
  }

  @Test
  void aRenewalIsDueAfterItsIntervalThoughTheTimeOfDayWentBack() {
    LeaseSchedule schedule = new LeaseSchedule();
    schedule.renewed(clock.millis());
    timeOfDay = timeOfDay.minus(Duration.ofHours(1));
    nanos += Duration.ofMillis(LeaseKeeper.RENEW_MILLIS).toNanos();

    assertThat(schedule.isDue(clock.millis(), LeaseKeeper.RENEW_MILLIS)).isTrue();
  }
}
