package io.varve.cluster;

import io.varve.process.SteadyTimer;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the heartbeats of one member, on a thread that all members of this process share.
 *
 * <p>The thread is a platform thread. A virtual one would wait for a processor behind the refreshes
 * and requests of all copies: on a busy node with hundreds of shards longer than the node timeout,
 * and the removal of the node would make it open all of them again.
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
