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
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Sequences writes one after the other: resolves each against the newest state, in flight or
 * applied, assigns the next seq_no, appends it.
 *
 * <p>INVARIANTS: seq_nos are dense; a number whose append was not made is used by the next record.
 * Operations in flight that a write is resolved against are either accepted, or the writer closes
 * and the write's own append is not accepted either.
 */
public final class Sequencer {

  /** The progress of one call. */
  public sealed interface Step {

    /** Through to the end. */
    record Finished() implements Step {}

    /** Up to an item that first needs new fields. */
    record NeedsMapping(int item, Resolution.NeedsMapping fields) implements Step {}
  }

  private static final Step FINISHED = new Step.Finished();

  private final WritableCopy copy;
  private final FencedWriter writer;
  private final int maxRecordBytes;
  private final Consumer<List<Batch.Pending>> apply;
  private final OffsetWatcher accepted;
  private final ReentrantLock lock = new ReentrantLock();
  private long nextSeqNo;

  /**
   * @param copy resolves writes, and applies the operations that {@code apply} submits
   * @param nextSeqNo the number of the first operation
   * @param apply takes accepted operations, batch by batch in the order of their numbers
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

  /** The number that the next operation gets. */
  public long nextSeqNo() {
    lock.lock();
    try {
      return nextSeqNo;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the waits for operations in flight: their outcome is unknown. */
  public void gateClosed() {
    accepted.close();
  }

  private Batch newBatch() {
    return new Batch(apply, (pending, offset) -> accepted.advanceTo(pending.operation.seqNo()));
  }

  /**
   * Decides the items from {@code from} on.
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
          case Resolution.Rejected(ErrorBody error) when !tellsOfTheDocument(error) ->
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

  /** Releases the lock even when the node accepts no more work. */
  private void sequenced(Batch batch) {
    try {
      batch.sequenced();
    } finally {
      lock.unlock();
    }
  }

  /** A conflict, or that it is missing. */
  private static boolean tellsOfTheDocument(ErrorBody error) {
    return error.status() == 409 || error.status() == 404;
  }

  /**
   * A noop or a conflict describes the document, which is final once all earlier operations are
   * accepted: a client told about a version that is never written would believe that its own write
   * succeeded.
   */
  private void completeBehindOthers(BulkRequest request, int item, WriteResult result) {
    request.countAppended();
    var _ =
        accepted
            .reached(nextSeqNo - 1)
            .thenAccept(reached ->
                request.complete(
                    item,
                    // Nothing was to be written, so it may be asked again.
                    reached ? result : new WriteResult.Failed(stale(writer.closedReason()))));
  }

  /** False when nothing more of this request can be appended: its rest is completed. */
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
    if (record.sizeBytes() > maxRecordBytes) {
      request.fail(item, tooLarge(asked.id(), record.sizeBytes(), maxRecordBytes));
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

  /** Operations of another cluster's log, each already numbered there, in order. */
  public interface Followed {

    /** The operation to append; its seq_no must be the next one. */
    Operation operation();

    Batch.Ending ending();
  }

  /**
   * Appends operations that were decided elsewhere. Those below the next seq_no are left out: they
   * end as the log decides on the ones that were appended.
   *
   * @return how many were appended
   * @throws ApiException 409 for a gap in the numbers, or when the gate is closed; 429 when the log
   *     is full; 413 when one is too large. The operations before it are appended.
   */
  public int follow(List<? extends Followed> operations) {
    lock.lock();
    Batch batch = newBatch();
    int count = 0;
    try {
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
          throw new ApiException(tooLarge(operation.id(), record.sizeBytes(), maxRecordBytes));
        }
        if (!append(batch, new Batch.Pending(operation, null, followed.ending()), record)) {
          throw new ApiException(stale(writer.closedReason()));
        }
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

  /** It may still be in flight, and the log may yet lose it. */
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

  /** Certainly not written: the request may be sent to the current primary. */
  static ErrorBody stale(String reason) {
    return ErrorBody.of(409, WriteResult.STALE_PRIMARY, reason);
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
