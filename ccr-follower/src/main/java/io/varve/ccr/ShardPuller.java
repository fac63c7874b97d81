package io.varve.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.RemoteCluster;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.log.PartitionLog;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the accepted operations of one leader shard and sends them, in order, to the primary of the
 * following shard.
 *
 * <pre>
 *   WAITING   the follower's primary or the leader does not answer
 *   BOOTSTRAPPING   the follower's primary is empty: see {@link Bootstrap}
 *   PULLING   reads the leader's log through {@link io.varve.log.TermFence} from the follower's
 *             cursor on
 *   LOST      the leader's log does not continue what the follower holds: see {@link LeaderHistory}
 *   REFUSED   the follower's primary refused an operation, or it can't be decoded
 *   DELETED   the leader's cluster has no such index
 *   CLOSED
 * </pre>
 *
 * The cursor is part of the follower's data, so a puller may be killed at any moment. Two pullers
 * of a shard may run concurrently, because the follower's primary drops operations whose seq_no it
 * already holds. After any failure, in every state but CLOSED, the cursor is requested again.
 */
final class ShardPuller implements FollowHost.Puller {

  private static final Logger LOG = LoggerFactory.getLogger(ShardPuller.class);
  private static final long FIRST_BACK_OFF_MILLIS = 50;

  /** Opens the leader's log; pullers of one process share its clients. */
  interface LeaderLog {
    Leader open() throws Exception;
  }

  /** Another index now has the leader's name. */
  static final class OtherLeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    OtherLeaderException(String message) {
      super(message);
    }
  }

  /** The receiver of the operations: the primary of the following shard. */
  interface Follower {

    /** The cursor to resume from; empty while the primary is unavailable. */
    Optional<ReplicateWire.Cursor> cursor() throws InterruptedException;

    FollowerPrimary.Outcome replicate(long assignment, List<Operation> operations)
        throws InterruptedException;

    /**
     * The status of the shard's bootstrap; empty if the primary does not answer or its release does
     * not support plans.
     */
    default Optional<BootstrapWire.Status> bootstrap() throws InterruptedException {
      return Optional.empty();
    }

    /** Sends a plan and returns the resulting status. */
    default void begin(long assignment, BootstrapWire.Plan plan)
        throws IOException, InterruptedException {
      throw new IOException("this primary awaits no plan");
    }
  }

  /**
   * The leader shard: its partition, its index and its cluster.
   *
   * @param onClose ends the use of the leader's clients
   * @param readAhead shared by all pullers of the process
   * @param replicated the partition in which a strongly consistent leader publishes what all of its
   *     copies hold; otherwise null
   */
  record Leader(
      Runnable onClose,
      PartitionLog partition,
      LeaseKeeper lease,
      ReadAhead readAhead,
      LeaderSegments segments,
      @Nullable PartitionLog replicated)
      implements AutoCloseable {

    /** A leader whose log is always replayed, never copied. */
    Leader(Runnable onClose, PartitionLog partition, LeaseKeeper lease, ReadAhead readAhead) {
      this(onClose, partition, lease, readAhead, LeaderSegments.NONE, null);
    }

    @Override
    public void close() {
      onClose.run();
    }
  }

  /**
   * Updates the follower's mapping to the version that an operation needs, and requests the
   * replacement of a follower that lost its leader's history.
   */
  interface MappingSync {
    void upTo(long leaderMappingVersion) throws Exception;

    /**
     * Reports that the leader's log does not continue what the follower holds, so the follower must
     * be replaced.
     */
    default void historyLost(String reason) throws Exception {}
  }

  private final ShardId shard;
  private final Pull.Shard pulled;
  private final LeaderLog leaderLog;
  private final PullProgress progress;
  private final LossConfirmation loss = new LossConfirmation();
  private final Thread thread;
  private volatile boolean closed;

  ShardPuller(
      ShardId shard,
      FollowRelation follow,
      Follower primary,
      LeaderLog leaderLog,
      MappingSync mapping,
      InstantSource clock) {
    this.shard = shard;
    this.leaderLog = leaderLog;
    this.progress = new PullProgress(shard, clock.millis());
    this.pulled = new Pull.Shard(follow, primary, mapping, clock, progress);
    this.thread = Thread.ofVirtual().name("ccr-" + shard).start(this::run);
  }

  @Override
  public PullerStats stats() {
    return progress.stats(pulled.clock().millis());
  }

  private void run() {
    long backOffMillis = 0;
    while (!closed) {
      try {
        if (attempt()) {
          backOffMillis = 0;
        }
        backOffMillis = nextBackOffMillis(backOffMillis, pulled.follow().effectiveParameters());
        reportLoss();
        Thread.sleep(backOffMillis);
      } catch (InterruptedException e) {
        LOG.debug("{} ends", shard, e);
        break;
      }
    }
    progress.closed();
  }

  /**
   * The pause before the next attempt.
   *
   * @param lastMillis the pause before the last attempt; 0 if that attempt made progress
   */
  static long nextBackOffMillis(long lastMillis, FollowParameters limits) {
    return Math.min(limits.maxRetryDelayMillis(), Math.max(FIRST_BACK_OFF_MILLIS, 2 * lastMillis));
  }

  private void reportLoss() throws InterruptedException {
    Optional<String> reason = progress.lossReason();
    if (!loss.add(reason.isPresent(), pulled.clock().millis())) {
      return;
    }
    try {
      pulled.mapping().historyLost(reason.orElseThrow());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      progress.notReplaced(String.valueOf(e.getMessage()));
      LOG.warn("{} cannot be replaced yet: {}", shard, e.toString());
    }
  }

  /** Returns whether any operation was sent and accepted. */
  private boolean attempt() throws InterruptedException {
    try {
      Optional<ReplicateWire.Cursor> cursor = pulled.primary().cursor();
      if (cursor.isPresent()) {
        progress.cursor(cursor.get());
        try (Leader leader = leaderLog.open();
            Pull pull = new Pull(pulled, leader, cursor.get())) {
          return pull.run(() -> closed);
        }
      }
      if (begins()) {
        return true;
      }
      progress.failed(PullProgress.State.WAITING, "the follower's primary is not started");
    } catch (InterruptedException e) {
      throw e;
    } catch (RemoteCluster.MissingIndexException e) {
      // The index may be created again: then its uuid differs, which is a loss of history.
      progress.failed(PullProgress.State.DELETED, String.valueOf(e.getMessage()));
    } catch (OtherLeaderException e) {
      if (progress.lost(String.valueOf(e.getMessage()))) {
        LOG.warn("{} lost its leader: {}", shard, e.getMessage());
      }
    } catch (Exception e) {
      progress.failedRead(e.getMessage() == null ? e.toString() : e.getMessage());
      LOG.warn("{} could not pull, retrying: {}", shard, e.toString());
    }
    return false;
  }

  /** Returns whether the primary was waiting for a plan; if so, it may be started soon. */
  private boolean begins() throws Exception {
    boolean awaited =
        pulled
            .primary()
            .bootstrap()
            .filter(status -> status.state() != BootstrapWire.State.BEGUN)
            .isPresent();
    if (awaited) {
      try (Leader leader = leaderLog.open()) {
        Bootstrap bootstrap = new Bootstrap(pulled, leader);
        while (!closed && bootstrap.step()) {
          Thread.sleep(bootstrap.pauseMillis());
        }
      }
    }
    return awaited;
  }

  @Override
  public void release() {
    try (Leader leader = leaderLog.open()) {
      leader.lease().release();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.info("{} could not release its lease, which will expire: {}", shard, e.toString());
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
