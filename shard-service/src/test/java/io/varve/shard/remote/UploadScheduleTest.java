package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.store.ExponentialBackOff;
import org.junit.jupiter.api.Test;

class UploadScheduleTest {

  private static final long UPLOAD_INTERVAL_MILLIS = 50;
  private static final long GARBAGE_INTERVAL_MILLIS = 7_000;

  private final ExponentialBackOff backOff = new ExponentialBackOff(1_000, 10_000, () -> 0.25);
  private final UploadSchedule schedule =
      new UploadSchedule(UPLOAD_INTERVAL_MILLIS, GARBAGE_INTERVAL_MILLIS, backOff);

  @Test
  void theFirstUploadBeginsAtOnceAndTheNextOneAnIntervalAfterIt() {
    schedule.begin(100);
    assertThat(schedule.waitMillis(true, 100)).isNotPositive();

    schedule.uploaded(120);

    assertThat(schedule.waitMillis(true, 130)).isEqualTo(40);
    assertThat(schedule.waitMillis(true, 170)).isZero();
  }

  @Test
  void failuresInARowAreRetriedAfterTheBackOffAndASuccessEndsTheRow() {
    schedule.begin(0);
    for (int failures = 1; failures <= 6; failures++) {
      assertThat(schedule.attempt()).isEqualTo(failures);
      schedule.failed(1_000);
      assertThat(schedule.waitMillis(true, 1_000))
          .as("after %d failures", failures)
          .isEqualTo(backOff.delayMillis(failures));
    }

    schedule.uploaded(2_000);

    assertThat(schedule.attempt()).isEqualTo(1);
    assertThat(schedule.waitMillis(true, 2_000)).isEqualTo(UPLOAD_INTERVAL_MILLIS);
  }

  @Test
  void garbageIsCollectedOnceAnInterval() {
    schedule.begin(1_000);
    assertThat(schedule.waitMillis(false, 1_000)).isEqualTo(GARBAGE_INTERVAL_MILLIS);
    assertThat(schedule.takeGarbageCollection(7_999)).isFalse();

    assertThat(schedule.takeGarbageCollection(8_000)).isTrue();

    assertThat(schedule.takeGarbageCollection(8_001)).isFalse();
    assertThat(schedule.waitMillis(false, 8_001)).isEqualTo(GARBAGE_INTERVAL_MILLIS - 1);
  }
}
