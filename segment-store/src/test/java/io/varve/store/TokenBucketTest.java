package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void holdsTheRateWhateverTheSizes() {
    TokenBucket bucket = new TokenBucket(1_000, 0);
    long now = 0;
    for (int size : new int[] {100, 5_000, 1, 899, 4_000}) {
      now += bucket.reserve(size, now);
    }

    // 10,000 bytes, of which the first 1,000 were saved.
    assertThat(now).isBetween(9 * SECOND - 1_000, 9 * SECOND + 1_000);
  }

  @Test
  void savesNoMoreThanASecond() {
    TokenBucket bucket = new TokenBucket(1_000, 0);

    assertThat(bucket.reserve(1_000, 60 * SECOND)).isZero();
    assertThat(bucket.reserve(500, 60 * SECOND)).isEqualTo(SECOND / 2);
  }

  @Test
  void aLaneWithoutALimitNeverWaits() throws InterruptedException {
    TransferBudget budget = new TransferBudget(Map.of(TransferLane.RECOVERY, 0L));

    budget.await(TransferLane.RECOVERY, Long.MAX_VALUE);
    budget.await(TransferLane.FRESHNESS, Long.MAX_VALUE);
  }
}
