package io.varve.shard.primary;

import io.varve.host.CopyContext;
import io.varve.rpc.ApiException;
import java.time.Duration;

/**
 * What a primary does before it may go for good: once its node knows that the index is blocked, no
 * write begins any more. Those that had begun end; then all of them are shown, and what is shown is
 * in the segment store.
 *
 * <p>Nothing is to be taken back when it fails: the block alone keeps writes away.
 */
record Sealing(CopyContext context, PrimaryWrites writes, PrimaryStore store) {

  /** Shows everything that was acked before the call. */
  @FunctionalInterface
  interface Refresh {
    Refreshed run(Duration timeout) throws InterruptedException;
  }

  /** {@code clusterVersion} is the state's that blocks the index. */
  Refreshed run(long clusterVersion, Refresh refresh, Duration timeout)
      throws InterruptedException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    context.node().awaitState(clusterVersion, timeout);
    if (!writes.awaitEnd(PrimaryWrites.remaining(deadlineNanos))) {
      throw late("writes that had begun did not end", timeout);
    }
    Refreshed shown = refresh.run(PrimaryWrites.remaining(deadlineNanos));
    if (!store.awaitStored(shown.generation(), PrimaryWrites.remaining(deadlineNanos))) {
      throw late("generation " + shown.generation() + " did not get to the store", timeout);
    }
    return shown;
  }

  private ApiException late(String what, Duration timeout) {
    return new ApiException(
        503,
        "process_cluster_event_timeout_exception",
        context.shard() + " " + what + " within " + timeout);
  }
}
