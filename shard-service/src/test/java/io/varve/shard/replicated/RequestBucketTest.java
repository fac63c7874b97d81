package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestBucketTest {

  private static final long SECOND = 1_000_000_000;

  private final RequestBucket bucket = new RequestBucket();

  @Test
  void recordsDelayTheNextOnesByTheirShareOfASecond() {
    assertThat(bucket.take(500, 1_000, 0)).isZero();
    assertThat(bucket.take(250, 1_000, 0)).isEqualTo(SECOND / 2);
    assertThat(bucket.take(1, 1_000, SECOND / 2)).isEqualTo(SECOND / 4);
  }

  @Test
  void unusedTimeIsLost() {
    assertThat(bucket.take(1, 1_000, 0)).isZero();
    assertThat(bucket.take(1_000, 1_000, 60 * SECOND)).isZero();
    assertThat(bucket.take(1, 1_000, 60 * SECOND)).isEqualTo(SECOND);
  }

  @Test
  void withoutALimitNobodyWaitsAndTheFormerLimitIsForgotten() {
    assertThat(bucket.take(1_000, 1, 0)).isZero();
    assertThat(bucket.take(1_000, -1, 0)).isZero();
    assertThat(bucket.take(1_000, 0, 0)).isZero();
    assertThat(bucket.take(1, 1, 0)).isZero();
  }

  @Test
  void overThirtySecondsTheRateIsKeptWithinFivePercent() {
    long now = 0;
    long records = 0;
    while (now < 30 * SECOND) {
      now += bucket.take(64, 500, now) + 1_000_000;
      records += 64;
    }
    assertThat(records / 30.0).isBetween(475.0, 525.0);
  }
}
