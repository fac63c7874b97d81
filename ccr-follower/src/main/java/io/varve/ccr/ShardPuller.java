package io.varve.ccr;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.time.InstantSource;
import java.util.ArrayList;
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
 *   PULLING   reads the leader's log through {@link TermFence} from the follower's own cursor on
 *   LOST      the leader's log no longer has what the follower needs
 *   REFUSED   the follower's primary can't take an operation
 *   CLOSED
 * </pre>
 *
 * The cursor lives in the follower's data: this object may be killed at any moment, and two of them
 * may run at once, for what the follower's primary holds is told by seq_no. After any doubt it asks
 * for the cursor again.
 */
final class ShardPuller implements FollowHost.Puller {

  private static final Logger LOG = LoggerFactory.getLogger(ShardPuller.class);
  private static final int READ_AHEAD_BYTES = 16 << 20;
  private static final int MAX_OPERATIONS = 5_120;
  private static final long MAX_BYTES = 8L << 20;
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

  /** The leader's partition, and what it is part of. */
  record Leader(MessageLog log, PartitionLog partition, LeaseKeeper lease)
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
  private final long assignment;
  private final Follower primary;
  private final LeaderLog leaderLog;
  private final MappingSync mapping;
  private final InstantSource clock;
  private final PullProgress progress;
  private final Thread thread;
  private volatile boolean closed;
  private volatile long heldOriginOffset = -1;

  ShardPuller(
      ShardId shard,
      long assignment,
      Follower primary,
      LeaderLog leaderLog,
      MappingSync mapping,
      InstantSource clock) {
    this.shard = shard;
    this.assignment = assignment;
    this.primary = primary;
    this.leaderLog = leaderLog;
    this.mapping = mapping;
    this.clock = clock;
    this.progress = new PullProgress(shard);
    this.thread = Thread.ofVirtual().name("ccr-" + shard).start(this::run);
  }

  @Override
  public PullerStats stats() {
    return progress.stats(clock.millis());
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
      Optional<ReplicateWire.Cursor> cursor = primary.cursor();
      if (cursor.isPresent()) {
        return pull(cursor.get());
      }
      progress.failed(PullProgress.State.WAITING, "the follower's primary is not started");
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      progress.failed(PullProgress.State.WAITING, String.valueOf(e.getMessage()));
      LOG.warn("{} stumbles and goes on: {}", shard, e.toString());
    }
    return false;
  }

  /**
   * Pulls from the cursor on until something makes it ask again. Returns whether anything was
   * carried over.
   */
  private boolean pull(ReplicateWire.Cursor cursor) throws Exception {
    progress.resumedAt(cursor);
    ArrivedBatches arrived = new ArrivedBatches(new ReadAhead(READ_AHEAD_BYTES));
    TermFence fence = new TermFence(cursor.lastOriginTerm(), cursor.nextSeqNo());
    heldOriginOffset = cursor.lastOriginOffset();
    try (Leader leader = leased(leaderLog.open());
        FencedTail tail =
            FencedTail.follow(
                leader.partition(), cursor.lastOriginOffset() + 1, fence, queueInto(arrived));
        AutoCloseable end = arrived::close) {
      boolean carried = false;
      while (!closed) {
        ArrivedBatches.Arrived next = arrived.poll(1, TimeUnit.SECONDS);
        leader.lease().renew(heldOriginOffset + 1, clock.millis());
        if (next == null) {
          progress.leaderEnd(leader.partition().endOffset());
        } else if (next.lost() != null) {
          progress.failed(PullProgress.State.LOST, String.valueOf(next.lost().getMessage()));
          return carried;
        } else if (carry(next.batch())) {
          carried = true;
        } else {
          return carried;
        }
      }
      return carried;
    }
  }

  /** Before anything is read: what is needed is kept from here on. */
  private Leader leased(Leader leader) throws InterruptedException {
    try {
      leader.lease().renew(heldOriginOffset + 1, clock.millis());
      return leader;
    } catch (InterruptedException | RuntimeException e) {
      leader.close();
      throw e;
    }
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

  private FencedTail.Listener queueInto(ArrivedBatches arrived) {
    return new FencedTail.Listener() {
      @Override
      public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
        progress.read(batch, nextOffset, clock.millis());
        if (!batch.isEmpty()) {
          put(new ArrivedBatches.Arrived(List.copyOf(batch), null));
        }
      }

      @Override
      public void lost(LogException.OutOfRange reason) {
        put(new ArrivedBatches.Arrived(List.of(), reason));
      }

      private void put(ArrivedBatches.Arrived item) {
        try {
          arrived.put(item);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  /** False when the cursor has to be asked for again. */
  private boolean carry(List<StoredRecord> batch) throws Exception {
    List<Operation> operations = new ArrayList<>();
    long bytes = 0;
    for (StoredRecord stored : batch) {
      operations.add(withOrigin(stored));
      bytes += stored.record().sizeBytes();
      if (operations.size() == MAX_OPERATIONS || bytes >= MAX_BYTES) {
        if (!send(operations)) {
          return false;
        }
        operations = new ArrayList<>();
        bytes = 0;
      }
    }
    return operations.isEmpty() || send(operations);
  }

  private static Operation withOrigin(StoredRecord stored) {
    Operation operation = OperationCodec.decode(stored.record());
    return new Operation(
        operation.term(),
        operation.seqNo(),
        operation.version(),
        operation.mappingVersion(),
        operation.id(),
        operation.routing(),
        operation.source(),
        new Operation.Origin(stored.offset(), operation.term()));
  }

  private boolean send(List<Operation> operations) throws Exception {
    mapping.upTo(operations.stream().mapToLong(Operation::mappingVersion).max().orElse(0));
    FollowerPrimary.Outcome outcome = primary.replicate(assignment, operations);
    return switch (outcome) {
      case FollowerPrimary.Outcome.Held held -> {
        progress.held(held.answer(), operations.size());
        heldOriginOffset = Math.max(heldOriginOffset, held.answer().lastOriginOffset());
        yield true;
      }
      case FollowerPrimary.Outcome.TryAgain again -> {
        progress.failed(PullProgress.State.WAITING, again.reason());
        yield false;
      }
      case FollowerPrimary.Outcome.Refused refused -> {
        progress.failed(PullProgress.State.REFUSED, refused.reason());
        yield false;
      }
    };
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
