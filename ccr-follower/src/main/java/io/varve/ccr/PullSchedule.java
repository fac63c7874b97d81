package io.varve.ccr;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.cluster.FollowParameters;
import io.varve.events.Operation;
import io.varve.events.StoredRecord;
import io.varve.log.LogPosition;
import io.varve.log.TermFence;
import io.varve.rpc.ReplicateWire;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the steps of one pull: reads a leader's log from the cursor of the follower's primary on,
 * until the cursor must be requested again.
 *
 * <pre>
 *   begin                         Compare, RenewLease, Follow
 *   then, repeatedly              Await, RenewLease,
 *     the lease was renewed, or
 *     the batch came after an
 *     interruption or has a gap   Compare,
 *     and records after the last
 *     one held were rejected      RequestCursor: they may have been replaced
 *     it is time                  RequestEnd, and Compare if the log ends before what is held,
 *     the reader ended            Compare, and RequestCursor if the history is the same,
 *     at a record that an
 *       operator skipped          Compare, ReadFrom, and Send or Follow after it,
 *     operations arrived          Send, once for each request
 *   the history is lost           Lost: the end
 *   the primary did not hold it   RequestCursor: the end
 * </pre>
 *
 * INVARIANT: data that was read over a new connection, or after a silence, is sent only after
 * {@link LeaderHistory} has found the last record held in the leader's log again. No I/O: the
 * caller performs a step and reports its result, which returns the next one. Used by one thread.
 *
 * <p>An operation that an operator skipped is sent as a delete of the same document, with the same
 * seq_no and origin: the follower keeps no outdated version of the document, and continues after
 * the operation. A record that can't be decoded, or whose header can't be read, is reported as
 * refused after the operations before it were sent ({@link LeaderOperations}). Once a record with
 * an unreadable header is skipped, the records after it determine whether it is an operation
 * ({@link UnreadableRecord}); if it is not, reading continues after it.
 */
public final class PullSchedule {

  /** The next step, which the caller performs. */
  public sealed interface Step {

    /** Compare with the leader's log; report {@link #compared}. */
    record Compare(LogPosition held) implements Step {}

    /** Renew the lease from that offset on if it is due; report {@link #renewed}. */
    record RenewLease(long fromOffset) implements Step {}

    /** Read the leader's log from there on into a {@link LeaderReader}; report {@link #follows}. */
    record Follow(long fromOffset, TermFence fence) implements Step {}

    /** Wait for what the reader delivers; report {@link #arrived}. */
    record Await(long timeoutMillis) implements Step {}

    /**
     * Read the record at that offset, whose header can't be read, and at most {@value
     * UnreadableRecord#MOST_RECORDS_BEHIND} after it; report {@link #recordsFrom}.
     */
    record ReadFrom(long offset) implements Step {}

    /** Request the end of the leader's log; report {@link #end}. */
    record RequestEnd() implements Step {}

    /**
     * Send these operations to the follower's primary; report {@link #held} or {@link #notHeld}.
     */
    record Send(List<Operation> operations) implements Step {

      public Send {
        operations = List.copyOf(operations);
      }

      /** The mapping version of the leader that these operations need. */
      public long mappingVersion() {
        return operations.stream().mapToLong(Operation::mappingVersion).max().orElse(0);
      }
    }

    /** Request the cursor of the follower's primary again. Terminal. */
    record RequestCursor() implements Step {}

    /**
     * The leader's log does not continue what the follower holds. Terminal.
     *
     * @param isNew whether the loss was not reported before, or has another reason now
     */
    record Lost(String reason, boolean isNew) implements Step {}
  }

  private enum Comparison {
    BEFORE_READING,
    BEFORE_CARRYING,
    AT_THE_END,
    AFTER_THE_READER
  }

  /**
   * The pauses between two requests for the end of the leader's log, for a follower that keeps up
   * and for one that lags.
   */
  private static final long END_MILLIS = 1_000;

  private static final long END_BEHIND_MILLIS = 5_000;

  /** Means that no operation was skipped. */
  static final long NOTHING = -1;

  private static final Step AWAIT = new Step.Await(LeaderReader.SILENCE_MILLIS);

  private final PullProgress progress;
  private final InstantSource clock;
  private final FollowParameters limits;
  private final long skippedOffset;
  private LogPosition held;
  private long readOffset;
  private Comparison comparison = Comparison.BEFORE_READING;
  private boolean follows;
  private @Nullable Arrived arrived;
  private Iterator<List<StoredRecord>> unsent = Collections.emptyIterator();
  private LeaderOperations sent = new LeaderOperations(List.of(), Optional.empty());
  private long endRequestedMillis;
  private boolean carried;

  /** No operation is skipped. */
  public PullSchedule(
      ReplicateWire.Cursor cursor,
      PullProgress progress,
      InstantSource clock,
      FollowParameters limits) {
    this(cursor, progress, clock, limits, NOTHING);
  }

  /**
   * @param limits bound a request to the follower's primary
   * @param skippedOffset of the operation that an operator skipped last, {@link #NOTHING} for none
   */
  PullSchedule(
      ReplicateWire.Cursor cursor,
      PullProgress progress,
      InstantSource clock,
      FollowParameters limits,
      long skippedOffset) {
    this.skippedOffset = skippedOffset;
    this.progress = progress;
    this.clock = clock;
    this.limits = limits;
    this.held = LeaderHistory.after(cursor);
    this.readOffset = held.nextOffset();
  }

  public Step begin() {
    return compare(Comparison.BEFORE_READING);
  }

  /** Whether the follower's primary accepted any operation. */
  public boolean carried() {
    return carried;
  }

  private Step compare(Comparison next) {
    comparison = next;
    return new Step.Compare(held);
  }

  public Step compared(LeaderHistory.Outcome outcome) {
    return switch (outcome) {
      case LeaderHistory.Outcome.Lost(String reason) -> lost(reason);
      case LeaderHistory.Outcome.Same _ ->
          switch (comparison) {
            case BEFORE_READING -> renewLease();
            case BEFORE_CARRYING ->
                mayHaveMissedRecords() ? new Step.RequestCursor() : requestEnd();
            case AT_THE_END -> take();
            case AFTER_THE_READER -> ended();
          };
    };
  }

  /**
   * Whether an interruption or a gap followed rejected records. A restored log may have other
   * records at their offsets, and a reader that continues after them would miss these.
   */
  private boolean mayHaveMissedRecords() {
    return isInterrupted() && readOffset > held.nextOffset();
  }

  private boolean isInterrupted() {
    return arrived instanceof Arrived.Records records && records.afterInterruption();
  }

  /** The log continues what the follower holds, but the reader has ended. */
  private Step ended() {
    switch (arrived) {
      case Arrived.Unreadable record when record.offset() <= skippedOffset -> {
        return new Step.ReadFrom(record.offset());
      }
      case Arrived.Unreadable record -> {
        return refused(record, record.reason());
      }
      case Arrived.Lost(String reason) -> progress.failedRead(reason);
      case Arrived.Records _ -> {}
      case null -> {}
    }
    return new Step.RequestCursor();
  }

  private Step refused(Arrived.Unreadable record, String reason) {
    return refused(new LeaderOperations.Unreadable(record.offset(), held.nextSeqNo(), reason));
  }

  /** The skipped record and those after it; empty if the log no longer has this record. */
  public Step recordsFrom(List<StoredRecord> records) {
    if (!(arrived instanceof Arrived.Unreadable record) || records.isEmpty()) {
      return new Step.RequestCursor();
    }
    TermFence before = new TermFence(Math.max(held.fenceTerm(), record.term()), held.nextSeqNo());
    return switch (UnreadableRecord.of(before, records.subList(1, records.size()))) {
      case UnreadableRecord.Kind.Operation _ -> {
        Operation delete =
            LeaderOperations.deleteInPlaceOf(records.getFirst(), before.term(), before.nextSeqNo());
        sent = new LeaderOperations(List.of(delete), Optional.empty());
        yield new Step.Send(sent.operations());
      }
      case UnreadableRecord.Kind.Other(TermFence behind) -> {
        readOffset = record.offset() + 1;
        yield new Step.Follow(readOffset, behind);
      }
      case UnreadableRecord.Kind.Unknown _ ->
          refused(
              record,
              record.reason()
                  + "; it is skipped once the records after it show whether it is an operation");
    };
  }

  private Step lost(String reason) {
    return new Step.Lost(reason, progress.lost(reason));
  }

  /** The lease begins at the last record held, because the next check compares that record. */
  private Step renewLease() {
    return new Step.RenewLease(Math.max(0, held.nextOffset() - 1));
  }

  /**
   * @param wasDue whether the leader was asked to keep what the follower needs
   */
  public Step renewed(boolean wasDue) {
    if (!follows) {
      // The lease now retains the records from here on.
      progress.resumed();
      TermFence fence = new TermFence(held.fenceTerm(), held.nextSeqNo());
      return new Step.Follow(held.nextOffset(), fence);
    }
    return wasDue || isInterrupted() ? compare(Comparison.BEFORE_CARRYING) : requestEnd();
  }

  public Step follows() {
    follows = true;
    return AWAIT;
  }

  /**
   * @param next null if nothing arrived in time
   */
  public Step arrived(@Nullable Arrived next) {
    arrived = next;
    return renewLease();
  }

  private Step requestEnd() {
    long nowMillis = clock.millis();
    long intervalMillis = progress.isCurrent() ? END_MILLIS : END_BEHIND_MILLIS;
    if (nowMillis - endRequestedMillis < intervalMillis) {
      return take();
    }
    endRequestedMillis = nowMillis;
    return new Step.RequestEnd();
  }

  /** The leader's log ends there. */
  public Step end(long endOffset) {
    if (endOffset < held.nextOffset()) {
      return compare(Comparison.AT_THE_END);
    }
    progress.leaderEnd(endOffset, endRequestedMillis);
    return take();
  }

  private Step take() {
    return switch (arrived) {
      case null -> AWAIT;
      case Arrived.Lost _, Arrived.Unreadable _ -> compare(Comparison.AFTER_THE_READER);
      case Arrived.Records records -> {
        readOffset = records.nextOffset();
        unsent = WriteRequests.of(records.batch(), limits).iterator();
        yield send(records);
      }
    };
  }

  private Step send(Arrived.Records records) {
    if (!unsent.hasNext()) {
      progress.heldTo(records.nextOffset());
      return AWAIT;
    }
    sent = LeaderOperations.of(unsent.next(), skippedOffset);
    return sent.operations().isEmpty()
        ? refused(sent.unreadable().orElseThrow())
        : new Step.Send(sent.operations());
  }

  private Step refused(LeaderOperations.Unreadable record) {
    progress.unreadable(record);
    return new Step.RequestCursor();
  }

  /**
   * The follower's primary holds the operations that were sent. If it holds more, an earlier
   * request arrived after the cursor was requested; its last operation must then be compared with
   * the leader's log.
   */
  public Step held(ReplicateWire.Answer answer) {
    List<Operation> operations = sent.operations();
    progress.held(answer, operations.size());
    carried = true;
    if (answer.seqNo() > operations.getLast().seqNo()) {
      return new Step.RequestCursor();
    }
    held = LeaderHistory.after(operations.getLast());
    if (sent.unreadable().isPresent()) {
      return refused(sent.unreadable().get());
    }
    // In any other case the reader has ended.
    return arrived instanceof Arrived.Records records ? send(records) : new Step.RequestCursor();
  }

  /** The follower's primary does not hold what was sent, or does not know. */
  public Step notHeld(PullProgress.State state, String reason) {
    progress.failedWrite(state, reason);
    return new Step.RequestCursor();
  }
}
