package io.varve.shard.primary;

import io.varve.host.CopyContext;
import io.varve.rpc.ApiException;
import java.time.Duration;

/**
 * Drains a primary, publishes its segments and uploads them before it is removed permanently. It
 * waits until the node has received the state that blocks the index and until writes in flight have
 * ended, refreshes, and waits for the upload.
 *
 * <p>A failure needs no rollback, because only the block of the index prevents writes.
 */
record Sealing(CopyContext context, PrimaryWrites writes, PrimaryStore store) {

  /** Makes everything visible that was acknowledged before the call. */
  @FunctionalInterface
  interface Refresh {
    Refreshed run(Duration timeout) throws InterruptedException;
  }

  /** {@code clusterVersion} is the version of the cluster state that blocks the index. */
  Refreshed run(long clusterVersion, Refresh refresh, Duration timeout)
      throws InterruptedException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    context.node().awaitState(clusterVersion, timeout);
    if (!writes.awaitEnd(PrimaryWrites.remaining(deadlineNanos))) {
      throw late("writes in flight did not end", timeout);
    }
    Refreshed shown = refresh.run(PrimaryWrites.remaining(deadlineNanos));
    if (!store.awaitStored(shown.generation(), PrimaryWrites.remaining(deadlineNanos))) {
      throw late("generation " + shown.generation() + " was not uploaded to the store", timeout);
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
