package io.varve.cluster;

import io.varve.process.SteadyTimer;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the heartbeats of one member, on a thread that all members of this process share.
 *
 * <p>The thread is a platform thread. A virtual thread would wait for a processor after the
 * refreshes and requests of all copies. On a busy node with hundreds of shards, this can take
 * longer than the node timeout; the node would then be removed, and would have to reopen all of its
 * copies.
 */
public final class HeartbeatTimer implements AutoCloseable {

  private static final ScheduledExecutorService THREAD = new SteadyTimer("heartbeat");

  private @Nullable ScheduledFuture<?> beats;
  private boolean closed;

  /**
   * Starts the heartbeats, the first one at once; has no effect once this is closed.
   *
   * @param beat must not block: other members wait for it
   */
  public synchronized void start(Runnable beat, long everyMillis) {
    if (!closed) {
      beats = THREAD.scheduleWithFixedDelay(beat, 0, everyMillis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (beats != null) {
      beats.cancel(false);
    }
  }
}
