package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private static final long SECOND = 1_000_000_000;

  private static long wait(TokenBucket bucket, long bytes, long now) {
    return bucket.nanosUntil(bucket.reserve(bytes, now), now);
  }

  @Test
  void holdsTheRateWhateverTheSizes() {
    TokenBucket bucket = new TokenBucket(1_000, 0);
    long now = 0;
    for (int size : new int[] {100, 5_000, 1, 899, 4_000}) {
      now += wait(bucket, size, now);
    }

    // Of the 10,000 bytes, the first 1,000 were saved up.
    assertThat(now).isBetween(9 * SECOND - 1_000, 9 * SECOND + 1_000);
  }

  @Test
  void savesNoMoreThanASecond() {
    TokenBucket bucket = new TokenBucket(1_000, 0);

    assertThat(wait(bucket, 1_000, 60 * SECOND)).isZero();
    assertThat(wait(bucket, 500, 60 * SECOND)).isEqualTo(SECOND / 2);
  }

  @Test
  void whatIsReservedIsPaidOffAtTheNewRate() {
    TokenBucket bucket = new TokenBucket(1_000, 0);
    double position = bucket.reserve(11_000, 0);
    assertThat(bucket.nanosUntil(position, 0)).isEqualTo(10 * SECOND);

    bucket.rate(4_000, 2 * SECOND);

    assertThat(bucket.nanosUntil(position, 2 * SECOND)).isEqualTo(2 * SECOND);
    bucket.rate(0, 3 * SECOND);
    assertThat(bucket.nanosUntil(position, 3 * SECOND)).as("no limit").isZero();
  }

  @Test
  void aLimitThatComesLaterCountsFromThenOn() {
    TokenBucket bucket = new TokenBucket(0, 0);
    assertThat(wait(bucket, 1_000_000, 0)).isZero();

    bucket.rate(1_000, 5 * SECOND);

    assertThat(wait(bucket, 2_000, 5 * SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void refusesANegativeRate() {
    assertThatThrownBy(() -> new TokenBucket(-1, 0)).hasMessageContaining("was -1");
  }

  @Test
  void aLaneWithoutALimitNeverWaits() throws InterruptedException {
    TransferBudget budget = new TransferBudget(Map.of(TransferLane.RECOVERY, 0L));

    budget.await(TransferLane.RECOVERY, Long.MAX_VALUE);
    budget.await(TransferLane.FRESHNESS, Long.MAX_VALUE);
  }
}
