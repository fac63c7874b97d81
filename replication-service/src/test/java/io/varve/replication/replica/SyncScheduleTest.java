package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SyncScheduleTest {

  private final SyncSchedule schedule = new SyncSchedule(100);

  @Test
  void isDueOneIntervalAfterTheFirstThatIsNotDurable() {
    assertThat(schedule.millisUntilDue(1_000)).isEqualTo(SyncSchedule.NEVER);
    schedule.shown(1_000);
    schedule.shown(1_090);

    assertThat(schedule.millisUntilDue(1_040)).isEqualTo(60);
    assertThat(schedule.millisUntilDue(1_500)).isZero();
  }

  @Test
  void whatIsShownDuringASyncWaitsForTheNext() {
    schedule.shown(0);
    assertThat(schedule.begin()).isTrue();
    schedule.shown(110);
    assertThat(schedule.millisUntilDue(500)).isEqualTo(SyncSchedule.NEVER);

    schedule.ended(true, 150);

    assertThat(schedule.millisUntilDue(150)).isEqualTo(60);
  }

  @Test
  void aFailedSyncIsRepeatedAfterAnInterval() {
    schedule.shown(0);
    assertThat(schedule.begin()).isTrue();

    schedule.ended(false, 200);

    assertThat(schedule.millisUntilDue(200)).isEqualTo(100);
  }

  @Test
  void beginsNothingWhenAllIsDurable() {
    schedule.shown(0);
    assertThat(schedule.begin()).isTrue();
    schedule.ended(true, 100);

    assertThat(schedule.begin()).isFalse();
  }

  @Test
  void refusesASecondSyncAtTheSameTime() {
    schedule.shown(0);
    assertThat(schedule.begin()).isTrue();

    assertThatThrownBy(schedule::begin).isInstanceOf(IllegalStateException.class);
  }
}
