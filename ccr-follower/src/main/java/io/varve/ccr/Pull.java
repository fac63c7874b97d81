package io.varve.ccr;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordDigest;
import io.varve.events.StoredRecord;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.TermFence;
import io.varve.rpc.ReplicateWire;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reading of a leader's log, from the cursor of the follower's primary on, until the cursor has
 * to be requested again.
 *
 * <p>{@link LeaderHistory} is checked before anything is read, whenever the lease is renewed, when
 * the log ends before what the follower holds, and before the first operations after an
 * interruption: they came over a new connection, or nothing was read for {@link #SILENCE_MILLIS}. A
 * broker whose log is replaced has to be stopped, which ends its connections.
 *
 * <p>Used by one thread; the tail of the leader's log delivers on another.
 */
final class Pull {

  /** What the pulls of one shard have in common. */
  record Shard(
      long assignment,
      ShardPuller.Follower primary,
      ShardPuller.MappingSync mapping,
      InstantSource clock,
      PullProgress progress) {}

  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);
  private static final int MAX_OPERATIONS = 5_120;
  private static final long MAX_BYTES = 8L << 20;
  private static final long SILENCE_MILLIS = 1_000;

  /** Between two requests for the leader's end: of a follower that keeps up, and of another. */
  private static final long END_MILLIS = 1_000;

  private static final long END_BEHIND_MILLIS = 5_000;

  private final Shard shard;
  private final ShardPuller.Leader leader;
  private final PullProgress progress;
  private final ArrivedBatches arrived;
  private LogPosition held;
  private long endRequestedMillis;
  private boolean carried;

  Pull(Shard shard, ShardPuller.Leader leader, ReplicateWire.Cursor cursor) {
    this.shard = shard;
    this.leader = leader;
    this.progress = shard.progress();
    this.arrived = new ArrivedBatches(leader.readAhead());
    this.held = LeaderHistory.after(cursor);
  }

  /** Returns whether anything was carried over. */
  boolean run(BooleanSupplier closed) throws Exception {
    if (!isSameHistory()) {
      return false;
    }
    // Before anything is read: the leader keeps what is needed from here on.
    var _ = renewLease();
    progress.resumed();
    TermFence fence = new TermFence(held.fenceTerm(), held.nextSeqNo());
    try (FencedTail tail =
            FencedTail.follow(leader.partition(), held.nextOffset(), fence, new Reader());
        AutoCloseable end = arrived::close) {
      boolean goesOn = true;
      while (goesOn && !closed.getAsBoolean()) {
        goesOn = step();
      }
    }
    return carried;
  }

  /** Returns false when the cursor has to be requested again. */
  private boolean step() throws Exception {
    Arrived next = arrived.poll(SILENCE_MILLIS, TimeUnit.MILLISECONDS);
    boolean renewed = renewLease();
    boolean interrupted = next instanceof Arrived.Records records && records.afterInterruption();
    return ((!renewed && !interrupted) || isSameHistory()) && reachedEnd() && take(next);
  }

  private boolean take(@Nullable Arrived next) throws Exception {
    return switch (next) {
      case null -> true;
      case Arrived.Lost(String reason) -> lost(reason);
      case Arrived.Records records -> {
        boolean taken = carry(records.batch());
        if (taken) {
          progress.heldTo(records.nextOffset());
        }
        yield taken;
      }
    };
  }

  /** The last record held is kept too: it is compared with the next check. */
  private boolean renewLease() throws InterruptedException {
    return leader.lease().renew(Math.max(0, held.nextOffset() - 1), shard.clock().millis());
  }

  /** Requests the leader's end when it is time. Returns false if the history is lost. */
  private boolean reachedEnd() throws LogException.Unavailable {
    long nowMillis = shard.clock().millis();
    long intervalMillis = progress.isCurrent() ? END_MILLIS : END_BEHIND_MILLIS;
    if (nowMillis - endRequestedMillis < intervalMillis) {
      return true;
    }
    endRequestedMillis = nowMillis;
    long end = leader.partition().endOffset();
    if (end < held.nextOffset() && !isSameHistory()) {
      return false;
    }
    progress.leaderEnd(end, nowMillis);
    return true;
  }

  private boolean isSameHistory() throws LogException.Unavailable {
    return switch (LeaderHistory.check(leader.partition(), held)) {
      case LeaderHistory.Outcome.Same _ -> true;
      case LeaderHistory.Outcome.Lost(String reason) -> lost(reason);
    };
  }

  private boolean lost(String reason) {
    if (progress.lost(reason)) {
      LOG.warn("{} lost its leader's history: {}", progress.shard(), reason);
    }
    return false;
  }

  /** Returns false when the cursor has to be requested again. */
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
        new Operation.Origin(stored.offset(), operation.term(), RecordDigest.of(stored)));
  }

  private boolean send(List<Operation> operations) throws Exception {
    shard.mapping().upTo(operations.stream().mapToLong(Operation::mappingVersion).max().orElse(0));
    FollowerPrimary.Outcome outcome = shard.primary().replicate(shard.assignment(), operations);
    return switch (outcome) {
      case FollowerPrimary.Outcome.Held(ReplicateWire.Answer answer) -> {
        progress.held(answer, operations.size());
        held = LeaderHistory.after(operations.getLast());
        carried = true;
        yield true;
      }
      case FollowerPrimary.Outcome.TryAgain(String reason) -> {
        progress.failedWrite(PullProgress.State.WAITING, reason);
        yield false;
      }
      case FollowerPrimary.Outcome.Refused(String reason) -> {
        progress.failedWrite(PullProgress.State.REFUSED, reason);
        yield false;
      }
    };
  }

  /** Delivers what is read, on the thread of the tail. */
  private final class Reader implements FencedTail.Listener {

    private long lastReadMillis = shard.clock().millis();
    private boolean reconnected;

    @Override
    public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
      long nowMillis = shard.clock().millis();
      boolean interrupted = reconnected || nowMillis - lastReadMillis >= SILENCE_MILLIS;
      lastReadMillis = nowMillis;
      reconnected = false;
      progress.read(batch, nextOffset, nowMillis);
      put(new Arrived.Records(batch, nextOffset, interrupted));
    }

    @Override
    public void reconnected() {
      reconnected = true;
    }

    @Override
    public void fenceMissed(StoredRecord operation) {
      put(new Arrived.Lost(LeaderHistory.fenceMissed(operation).reason()));
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      put(new Arrived.Lost(String.valueOf(reason.getMessage())));
    }

    private void put(Arrived next) {
      try {
        arrived.put(next);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
