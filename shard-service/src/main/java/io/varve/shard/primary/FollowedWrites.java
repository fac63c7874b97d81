package io.varve.shard.primary;

import io.varve.engine.Parsed;
import io.varve.engine.ShardEngine;
import io.varve.events.Feature;
import io.varve.events.Operation;
import io.varve.host.CopyContext;
import io.varve.host.apply.Origins;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the operations of a leader index of another cluster. They keep their seq_no and version,
 * get this primary's term, and record their origin. An operation whose seq_no the shard already has
 * is a duplicate and is dropped; a gap in the seq_nos is refused.
 *
 * <p>An operation waits until the follower has applied the version of the leader's mapping that it
 * needs; a follower derives no fields. An operation that can't be indexed even then is refused,
 * after the operations before it were written. The error names its position in the leader's log, so
 * that an operator can skip it.
 */
final class FollowedWrites {

  private static final int MAX_MAPPING_ROUNDS = 8;

  private record Numbered(Operation operation, Batch.Ending ending) implements Sequencer.Followed {}

  private final CopyContext context;
  private final ShardEngine engine;
  private final Sequencer sequencer;
  private final PrimaryWrites writes;
  private final long term;

  /** The origins of applied operations, and of the newest committed one. */
  private final Origins origins = new Origins();

  FollowedWrites(
      CopyContext context,
      ShardEngine engine,
      Sequencer sequencer,
      PrimaryWrites writes,
      long term) {
    this.context = context;
    this.engine = engine;
    this.sequencer = sequencer;
    this.writes = writes;
    this.term = term;
  }

  /**
   * Restores the newest origin from the replayed operations, or from the commit if none were
   * replayed.
   */
  void restore(Operation.@Nullable Origin replayed) {
    Operation.Origin origin =
        replayed == null ? Origins.ofCommit(engine.committedData()) : replayed;
    if (origin != null) {
      origins.put(sequencer.nextSeqNo() - 1, origin);
      sequencer.restoreOrigin(origin);
    }
  }

  /** Returns the user data of a commit that contains the operations up to {@code seqNo}. */
  Map<String, String> commitData(long seqNo) {
    return origins.commitData(seqNo);
  }

  /** Writes the operations, and returns when all of them are accepted and applied. */
  ReplicateWire.Answer replicate(long assignment, List<Operation> operations, Duration timeout)
      throws InterruptedException {
    PullerAdmission.refuseStrangers(context.index(), assignment);
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    List<Operation> own = new ArrayList<>(operations.size());
    ApiException refusal = null;
    for (Operation operation : operations) {
      try {
        own.add(own(operation, deadlineNanos));
      } catch (ApiException e) {
        refusal = e;
        break;
      }
    }
    int count = write(own, deadlineNanos, timeout);
    if (refusal != null) {
      throw refusal;
    }
    Operation.Origin last = lastOrigin();
    return new ReplicateWire.Answer(
        last == null ? -1 : last.offset(),
        last == null ? 0 : last.term(),
        sequencer.accepted().current(),
        count);
  }

  /** Returns the number of operations that were not duplicates. */
  private int write(List<Operation> operations, long deadlineNanos, Duration timeout)
      throws InterruptedException {
    if (operations.isEmpty()) {
      return 0;
    }
    CountDownLatch open = new CountDownLatch(operations.size());
    AtomicReference<@Nullable String> unknown = new AtomicReference<>();
    List<Numbered> numbered =
        operations.stream()
            .map(operation -> new Numbered(operation, ending(operation, open, unknown)))
            .toList();
    int count = sequencer.follow(numbered);
    if (!open.await(PrimaryWrites.remaining(deadlineNanos).toNanos(), TimeUnit.NANOSECONDS)) {
      unknown.compareAndSet(null, "the log did not answer within " + timeout);
    }
    String reason = unknown.get();
    if (reason != null) {
      throw new ApiException(BulkRequest.unknown(reason));
    }
    return count;
  }

  private Batch.Ending ending(
      Operation operation, CountDownLatch open, AtomicReference<@Nullable String> unknown) {
    return new Batch.Ending() {
      @Override
      public void indexed() {
        // A commit takes the checkpoint and the origin of its last operation at any time.
        origins.applied(operation);
      }

      @Override
      public void applied() {
        open.countDown();
      }

      @Override
      public void unknown(String reason) {
        unknown.compareAndSet(null, reason);
        open.countDown();
      }

      @Override
      public void rejected(String reason) {
        // In both cases the puller requests the cursor again.
        unknown(reason);
      }
    };
  }

  /**
   * The operation in the form in which this shard logs it; waits until the mapping has its fields.
   */
  private Operation own(Operation operation, long deadlineNanos) throws InterruptedException {
    byte[] source = operation.source();
    long mappingVersion =
        source == null
            ? context.index().mappingVersion()
            : mapped(operation, source, deadlineNanos);
    return new Operation(
        term,
        operation.seqNo(),
        operation.version(),
        mappingVersion,
        operation.id(),
        operation.routing(),
        source,
        operation.origin());
  }

  private long mapped(Operation operation, byte[] source, long deadlineNanos)
      throws InterruptedException {
    boolean recorded = context.node().cluster().current().has(Feature.FOLLOW_STATUS);
    if (recorded) {
      // The remaining time is left for the operations before this one.
      context.awaitLeaderMapping(
          operation.mappingVersion(), PrimaryWrites.remaining(deadlineNanos).dividedBy(2));
    }
    WriteItem item = WriteItem.index(operation.id(), source).routedBy(operation.routing());
    for (int round = 0; round < MAX_MAPPING_ROUNDS; round++) {
      switch (engine.parse(item)) {
        case Parsed.Document document -> {
          return document.mappingVersion();
        }
        case Parsed.NeedsMapping needed when recorded ->
            throw refused(
                operation,
                ErrorBody.illegalArgument(
                    "version %d of the leader's mapping lacks fields of [%s]: %s"
                        .formatted(
                            operation.mappingVersion(), operation.id(), needed.properties())));
        case Parsed.NeedsMapping needed ->
            // This cluster's feature level has no record of the leader's mapping version.
            writes.addFields(
                needed.mappingVersion(),
                needed.properties(),
                PrimaryWrites.remaining(deadlineNanos));
        case Parsed.Invalid invalid -> throw refused(operation, invalid.error());
        case Parsed.Later _ ->
            throw new IllegalStateException("a followed operation was not resolved");
      }
    }
    throw new ApiException(
        503,
        "process_cluster_event_timeout_exception",
        "the mapping still lacks fields of [" + operation.id() + "]");
  }

  /**
   * The refusal of an operation that will be refused again, with its position in the leader's log.
   */
  private static ApiException refused(Operation operation, ErrorBody error) {
    Operation.Origin origin = Objects.requireNonNull(operation.origin(), "origin");
    return new ApiException(
        error
            .with(ReplicateWire.REFUSED_OFFSET, origin.offset())
            .with(ReplicateWire.REFUSED_SEQ_NO, operation.seqNo()));
  }

  private Operation.@Nullable Origin lastOrigin() {
    return origins.upTo(sequencer.accepted().current());
  }

  /** The fork of the shard from its former leader, given the offset of this primary's fence. */
  ForkPlace forkAt(long fenceOffset) {
    return origins.forkAt(sequencer.accepted().current(), fenceOffset, term);
  }

  /**
   * The position after the applied operations. Later operations may be in flight or be applied in
   * the meantime; if they are sent again, they are dropped by their seq_no.
   */
  ReplicateWire.Cursor cursor(long appliedSeqNo) {
    Origins.Held last = origins.newest(sequencer.accepted().current());
    return new ReplicateWire.Cursor(
        last == null ? -1 : last.origin().offset(),
        last == null ? 0 : last.origin().term(),
        last == null ? 0 : last.seqNo() + 1,
        appliedSeqNo,
        engine.maxSeqNo(),
        context.index().mappingVersion(),
        last == null || !last.origin().hasDigest() ? null : last.origin().digest());
  }
}
