package io.varve.ccr;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one leader shard's accepted operations, in order, to the primary of the following shard.
 *
 * <pre>
 *   WAITING   the follower's primary or the leader does not answer
 *   PULLING   reads the leader's log through {@link io.varve.log.TermFence} from the follower's
 *             cursor on
 *   LOST      the leader's log does not continue what the follower holds: see {@link LeaderHistory}
 *   REFUSED   the follower's primary refused an operation
 *   CLOSED
 * </pre>
 *
 * The cursor is part of the follower's data, so this object may be killed at any moment, and two of
 * them may run at once: the follower's primary drops operations by seq_no that it holds. After any
 * failure the cursor is requested again, in every state but CLOSED.
 */
final class ShardPuller implements FollowHost.Puller {

  private static final Logger LOG = LoggerFactory.getLogger(ShardPuller.class);
  private static final long FIRST_BACK_OFF_MILLIS = 50;
  private static final long MOST_BACK_OFF_MILLIS = 2_000;

  /**
   * Opens the leader's log anew; each puller has a connection of its own, so that one that waits
   * stalls no other.
   */
  interface LeaderLog {
    Leader open() throws Exception;
  }

  /** Who holds what is carried over. */
  interface Follower {

    /** Where to go on, once the primary is there; empty while it is not. */
    Optional<ReplicateWire.Cursor> cursor() throws InterruptedException;

    FollowerPrimary.Outcome replicate(long assignment, List<Operation> operations)
        throws InterruptedException;
  }

  /**
   * The leader's partition, and what it is part of.
   *
   * @param readAhead shared by all pullers of the process
   */
  record Leader(MessageLog log, PartitionLog partition, LeaseKeeper lease, ReadAhead readAhead)
      implements AutoCloseable {
    @Override
    public void close() {
      log.close();
    }
  }

  /** Brings the follower's mapping up to what an operation of the leader needs. */
  interface MappingSync {
    void upTo(long leaderMappingVersion) throws Exception;
  }

  private final ShardId shard;
  private final Pull.Shard pulled;
  private final LeaderLog leaderLog;
  private final PullProgress progress;
  private final Thread thread;
  private volatile boolean closed;

  ShardPuller(
      ShardId shard,
      long assignment,
      Follower primary,
      LeaderLog leaderLog,
      MappingSync mapping,
      InstantSource clock) {
    this.shard = shard;
    this.leaderLog = leaderLog;
    this.progress = new PullProgress(shard, clock.millis());
    this.pulled = new Pull.Shard(assignment, primary, mapping, clock, progress);
    this.thread = Thread.ofVirtual().name("ccr-" + shard).start(this::run);
  }

  @Override
  public PullerStats stats() {
    return progress.stats(pulled.clock().millis());
  }

  private void run() {
    long backOffMillis = FIRST_BACK_OFF_MILLIS;
    while (!closed) {
      try {
        if (attempt()) {
          backOffMillis = FIRST_BACK_OFF_MILLIS;
        }
        Thread.sleep(backOffMillis);
        backOffMillis = Math.min(MOST_BACK_OFF_MILLIS, backOffMillis * 2);
      } catch (InterruptedException e) {
        LOG.debug("{} ends", shard, e);
        break;
      }
    }
    progress.closed();
  }

  /** Returns whether anything was carried over. */
  private boolean attempt() throws InterruptedException {
    try {
      Optional<ReplicateWire.Cursor> cursor = pulled.primary().cursor();
      if (cursor.isPresent()) {
        progress.cursor(cursor.get());
        try (Leader leader = leaderLog.open()) {
          return new Pull(pulled, leader, cursor.get()).run(() -> closed);
        }
      }
      progress.failed(PullProgress.State.WAITING, "the follower's primary is not started");
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      progress.failed(PullProgress.State.WAITING, String.valueOf(e.getMessage()));
      LOG.warn("{} could not pull and tries again: {}", shard, e.toString());
    }
    return false;
  }

  @Override
  public void release() {
    try (Leader leader = leaderLog.open()) {
      leader.lease().release();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.info("{} could not give back its lease, which ends by itself: {}", shard, e.toString());
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
