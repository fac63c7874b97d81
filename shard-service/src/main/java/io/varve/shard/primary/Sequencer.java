package io.varve.shard.primary;

import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.WritableCopy;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sequences writes one after the other: resolves each against the newest version of its document,
 * in flight or applied, assigns the next seq_no, and appends the operation.
 *
 * <p>INVARIANTS: seq_nos have no gaps: if an append fails before it is sent, the next record gets
 * its number. If a write is resolved against an operation in flight that is not accepted, the
 * writer closes and the write's own append is not accepted either.
 */
public final class Sequencer {

  /** The result of one call. */
  public sealed interface Step {

    /** All items were sequenced. */
    record Finished() implements Step {}

    /** The items before {@code item} were sequenced; that item needs new fields first. */
    record NeedsMapping(int item, Resolution.NeedsMapping fields) implements Step {}
  }

  private static final Step FINISHED = new Step.Finished();

  /**
   * The part of the size limit that is left free: a follower's record of an operation is longer by
   * its origin, and may have a longer term and mapping version.
   */
  static final int FOLLOWER_BYTES = 64;

  private final WritableCopy copy;
  private final FencedWriter writer;
  private final int maxRecordBytes;
  private final Consumer<List<Batch.Pending>> apply;
  private final OffsetWatcher accepted;
  private final ReentrantLock lock = new ReentrantLock();

  /** The origin of the operation before {@code nextSeqNo}, if it is from another cluster. */
  private Operation.@Nullable Origin lastOrigin;

  private long nextSeqNo;

  /**
   * @param copy resolves writes, and applies the operations that {@code apply} submits
   * @param nextSeqNo the number of the first operation
   * @param apply receives accepted operations, in batches and in the order of their numbers
   */
  public Sequencer(
      WritableCopy copy,
      FencedWriter writer,
      int maxRecordBytes,
      long nextSeqNo,
      Consumer<List<Batch.Pending>> apply) {
    this.copy = copy;
    this.writer = writer;
    this.maxRecordBytes = maxRecordBytes;
    this.nextSeqNo = nextSeqNo;
    this.apply = apply;
    this.accepted = new OffsetWatcher(nextSeqNo - 1);
  }

  /** The highest seq_no that the log has accepted. */
  public OffsetWatcher accepted() {
    return accepted;
  }

  /** The seq_no of the next operation. */
  public long nextSeqNo() {
    lock.lock();
    try {
      return nextSeqNo;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits for operations in flight, whose outcome is unknown. */
  public void gateClosed() {
    accepted.close();
  }

  private Batch newBatch() {
    return new Batch(apply, (pending, offset) -> accepted.advanceTo(pending.operation.seqNo()));
  }

  /**
   * Sequences the items from {@code from} on.
   *
   * @throws ApiException 409 when the gate is closed and nothing of the request was appended
   */
  public Step sequence(BulkRequest request, List<Parsed> parsed, int from) {
    lock.lock();
    Batch batch = newBatch();
    try {
      for (int item = from; item < request.size(); item++) {
        if (request.isCompleted(item)) {
          continue;
        }
        switch (copy.resolve(request.items().get(item), parsed.get(item))) {
          case Resolution.Rejected(ErrorBody error) when !dependsOnDocument(error) ->
              request.fail(item, error);
          case Resolution.Rejected(ErrorBody error) ->
              completeBehindOthers(request, item, new WriteResult.Failed(error));
          case Resolution.Noop(WriteResult.Done result) ->
              completeBehindOthers(request, item, result);
          case Resolution.NeedsMapping fields -> {
            return new Step.NeedsMapping(item, fields);
          }
          case Resolution.Append resolved -> {
            if (!append(batch, request, item, resolved)) {
              return FINISHED;
            }
          }
        }
      }
      return FINISHED;
    } finally {
      sequenced(batch);
    }
  }

  /** Ends the batch and releases the lock, even if the executor rejects tasks. */
  private void sequenced(Batch batch) {
    try {
      batch.sequenced();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the error depends on the state of the document: a conflict, or a missing document. */
  private static boolean dependsOnDocument(ErrorBody error) {
    return error.status() == 409 || error.status() == 404;
  }

  /**
   * Completes an item with a noop or a conflict after all earlier operations are accepted. The
   * result depends on the document's version in flight: if a client were told about a version that
   * is then not accepted, it could believe that its own write had succeeded.
   */
  private void completeBehindOthers(BulkRequest request, int item, WriteResult result) {
    request.countAppended();
    var _ =
        accepted
            .reached(nextSeqNo - 1)
            .thenAccept(reached ->
                request.complete(
                    item,
                    // Nothing was written, so the client may retry.
                    reached ? result : new WriteResult.Failed(stale(writer.closedReason()))));
  }

  /**
   * Appends an operation; false if no more items of this request can be appended, and all of them
   * are completed.
   */
  private boolean append(Batch batch, BulkRequest request, int item, Resolution.Append resolved) {
    WriteItem asked = request.items().get(item);
    Operation operation =
        new Operation(
            writer.term(),
            nextSeqNo,
            resolved.version(),
            resolved.mappingVersion(),
            asked.id(),
            resolved.routing(),
            resolved.source(),
            null);
    RawRecord record = OperationCodec.encode(operation);
    int limitBytes = maxRecordBytes - FOLLOWER_BYTES;
    if (record.sizeBytes() > limitBytes) {
      request.fail(item, tooLarge(asked.id(), record.sizeBytes(), limitBytes));
      return true;
    }
    Batch.Pending pending =
        new Batch.Pending(operation, resolved, ending(request, item, operation, resolved.result()));
    try {
      if (append(batch, pending, record)) {
        request.countAppended();
        return true;
      }
      ErrorBody stale = stale(writer.closedReason());
      if (request.nothingAppended()) {
        throw new ApiException(stale);
      }
      request.failFrom(item, stale);
    } catch (LogException.Full e) {
      request.failFrom(
          item, WritePressure.rejection("rejected execution, the log is full: " + e.getMessage()));
    }
    return false;
  }

  private static Batch.Ending ending(
      BulkRequest request, int item, Operation operation, String word) {
    return new Batch.Ending() {
      @Override
      public void applied() {
        request.complete(
            item,
            new WriteResult.Done(
                word,
                operation.seqNo(),
                operation.term(),
                operation.version(),
                request.items().get(item).returnSource() ? operation.source() : null));
      }

      @Override
      public void unknown(String reason) {
        request.fail(item, BulkRequest.unknown(reason));
      }

      @Override
      public void rejected(String reason) {
        request.fail(item, stale(reason));
      }
    };
  }

  private boolean append(Batch batch, Batch.Pending pending, RawRecord record)
      throws LogException.Full {
    batch.add(pending);
    boolean appended = false;
    try {
      appended = writer.append(record, outcome -> batch.completed(pending, outcome));
    } finally {
      if (!appended) {
        batch.removeLast();
      }
    }
    if (appended) {
      copy.inFlight(pending.operation);
      nextSeqNo++;
    }
    return appended;
  }

  /** An operation of another cluster's log, which already has its seq_no. */
  public interface Followed {

    /** The operation to append; its seq_no must be the next one. */
    Operation operation();

    Batch.Ending ending();
  }

  /** The origin of the operation with the highest seq_no, as replayed at the start. */
  public void restoreOrigin(Operation.Origin origin) {
    lock.lock();
    try {
      lastOrigin = origin;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends operations that the primary of another cluster has numbered. Those below the next
   * seq_no are not appended again; their outcome is that of the earlier append. If the newest
   * operation here is among them with another origin, nothing is appended: one puller has read the
   * leader's log before the log was restored, and another one after that.
   *
   * @return the number of appended operations
   * @throws ApiException 409 for a gap in the seq_nos, for another origin, or when the gate is
   *     closed; 429 when the log is full; 413 when an operation is too large. The operations before
   *     the failed one are appended.
   */
  public int follow(List<? extends Followed> operations) {
    lock.lock();
    Batch batch = newBatch();
    int count = 0;
    try {
      requireSameHistory(operations);
      for (Followed followed : operations) {
        Operation operation = followed.operation();
        if (operation.seqNo() < nextSeqNo) {
          repeated(followed);
          continue;
        }
        if (operation.seqNo() > nextSeqNo) {
          throw new ApiException(
              409,
              "history_gap_exception",
              "expected seq_no " + nextSeqNo + ", was given " + operation.seqNo());
        }
        RawRecord record = OperationCodec.encode(operation);
        if (record.sizeBytes() > maxRecordBytes) {
          throw new ApiException(tooLarge(operation, record));
        }
        if (!append(batch, new Batch.Pending(operation, null, followed.ending()), record)) {
          throw new ApiException(stale(writer.closedReason()));
        }
        lastOrigin = operation.origin();
        count++;
      }
      return count;
    } catch (LogException.Full e) {
      throw new ApiException(
          WritePressure.rejection("rejected execution, the log is full: " + e.getMessage()));
    } finally {
      sequenced(batch);
    }
  }

  private void requireSameHistory(List<? extends Followed> operations) {
    Operation.Origin last = lastOrigin;
    for (Followed followed : operations) {
      Operation operation = followed.operation();
      Operation.Origin origin = operation.origin();
      if (operation.seqNo() == nextSeqNo - 1
          && last != null
          && origin != null
          && !last.isSame(origin)) {
        throw new ApiException(
            409,
            ReplicateWire.CONFLICT,
            "seq_no %d is at offset %d of term %d of the leader's log, was given offset %d of term %d"
                    .formatted(
                        operation.seqNo(),
                        last.offset(),
                        last.term(),
                        origin.offset(),
                        origin.term())
                + ", or another record there");
      }
    }
  }

  /**
   * Completes an operation that was appended before: it may still be in flight, and may not be
   * accepted.
   */
  private void repeated(Followed followed) {
    long seqNo = followed.operation().seqNo();
    if (seqNo <= accepted.current()) {
      followed.ending().applied();
      return;
    }
    var _ =
        accepted
            .reached(seqNo)
            .thenAccept(reached -> {
              if (reached) {
                followed.ending().applied();
              } else {
                followed.ending().unknown(writer.closedReason());
              }
            });
  }

  /** The error of a write that was certainly not written; it may be sent to the current primary. */
  static ErrorBody stale(String reason) {
    return ErrorBody.of(409, WriteResult.STALE_PRIMARY, reason);
  }

  /** An operation of a leader that is too large to add the origin; an operator can skip it. */
  private ErrorBody tooLarge(Operation operation, RawRecord record) {
    ErrorBody error = tooLarge(operation.id(), record.sizeBytes(), maxRecordBytes);
    Operation.Origin origin = operation.origin();
    return origin == null
        ? error
        : error
            .with(ReplicateWire.REFUSED_OFFSET, origin.offset())
            .with(ReplicateWire.REFUSED_SEQ_NO, operation.seqNo());
  }

  private static ErrorBody tooLarge(String id, int sizeBytes, int limitBytes) {
    return ErrorBody.of(
        413,
        "content_too_long_exception",
        "entity content is too long ["
            + sizeBytes
            + "] for the configured record limit ["
            + limitBytes
            + "], document ["
            + id
            + "]");
  }
}
