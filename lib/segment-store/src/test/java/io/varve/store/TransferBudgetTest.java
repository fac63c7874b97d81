package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Uses a clock that advances only in waits. */
class TransferBudgetTest {

  private static final long SECOND = 1_000_000_000;

  private long now;
  private final TransferBudget budget =
      new TransferBudget(
          Map.of(TransferLane.UPLOAD, 1_000L), () -> now, (_, nanos) -> now += nanos);

  private long nanosFor(TransferLane lane, int pieces) throws InterruptedException {
    long began = now;
    for (int i = 0; i < pieces; i++) {
      budget.await(lane, 1_000);
    }
    return now - began;
  }

  @Test
  void aChangedLimitChangesThePace() throws InterruptedException {
    assertThat(nanosFor(TransferLane.RECOVERY, 100)).isZero();

    budget.limit(TransferLane.RECOVERY, 1_000);
    assertThat(nanosFor(TransferLane.RECOVERY, 10)).isBetween(9 * SECOND, 10 * SECOND + 1_000);

    budget.limit(TransferLane.RECOVERY, 10_000);
    assertThat(nanosFor(TransferLane.RECOVERY, 100)).isBetween(9 * SECOND, 10 * SECOND + 1_000);

    budget.limit(TransferLane.RECOVERY, 0);
    assertThat(nanosFor(TransferLane.RECOVERY, 100)).isZero();
    assertThat(budget.bytesPerSecond(TransferLane.RECOVERY)).isZero();
  }

  @Test
  void theLowerOfTheNodesAndTheClustersLimitHolds() throws InterruptedException {
    budget.limit(TransferLane.UPLOAD, 100_000);
    assertThat(budget.bytesPerSecond(TransferLane.UPLOAD)).isEqualTo(1_000);
    budget.limit(TransferLane.UPLOAD, 500);
    assertThat(budget.bytesPerSecond(TransferLane.UPLOAD)).isEqualTo(500);
    budget.limit(TransferLane.UPLOAD, 0);
    assertThat(budget.bytesPerSecond(TransferLane.UPLOAD)).isEqualTo(1_000);
    assertThat(nanosFor(TransferLane.UPLOAD, 11)).isBetween(10 * SECOND, 11 * SECOND + 1_000);
  }

  @Test
  void bytesAndWaitsAreCountedByLane() throws InterruptedException {
    long waited = nanosFor(TransferLane.UPLOAD, 11);
    assertThat(nanosFor(TransferLane.RECOVERY, 3)).isZero();

    assertThat(budget.bytes(TransferLane.UPLOAD)).isEqualTo(11_000);
    assertThat(budget.waitedNanos(TransferLane.UPLOAD)).isEqualTo(waited);
    assertThat(budget.bytes(TransferLane.RECOVERY)).isEqualTo(3_000);
    assertThat(budget.waitedNanos(TransferLane.RECOVERY)).isZero();
  }

  @Test
  void aTransferThatWaitsGoesOnWhenTheLimitIsLifted() throws Exception {
    CompletableFuture<Void> waits = new CompletableFuture<>();
    TransferBudget real =
        new TransferBudget(Map.of(TransferLane.RECOVERY, 0L), System::nanoTime, waiting(waits));
    real.limit(TransferLane.RECOVERY, 1);
    CompletableFuture<Void> moved =
        CompletableFuture.runAsync(() -> {
          try {
            real.await(TransferLane.RECOVERY, 1_000_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    waits.get(60, TimeUnit.SECONDS);
    assertThat(moved).isNotDone();

    real.limit(TransferLane.RECOVERY, 0);

    moved.get(60, TimeUnit.SECONDS);
  }

  /** Returns a pause that completes {@code waits} and then waits as in production. */
  @SuppressWarnings("WaitNotInLoop")
  private static TransferBudget.Pause waiting(CompletableFuture<Void> waits) {
    return (changed, nanos) -> {
      waits.complete(null);
      return changed.awaitNanos(nanos);
    };
  }
}
