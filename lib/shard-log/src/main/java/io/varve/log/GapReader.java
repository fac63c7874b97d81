package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Reads the foreign records between two appends of a writer and looks for the fence of a newer
 * term.
 */
final class GapReader {

  private final PartitionLog log;
  private final long term;
  private final Executor executor;

  /** The content of a gap. */
  sealed interface Result {

    /** Only records that every reader rejects. */
    record NothingNewer() implements Result {}

    record FencedBy(long term) implements Result {}

    record Unreadable(String reason) implements Result {}
  }

  /**
   * @param executor runs the blocking reads
   */
  GapReader(PartitionLog log, long term, Executor executor) {
    this.log = log;
    this.term = term;
    this.executor = executor;
  }

  /**
   * Calls {@code then} once, on a thread of the executor, or on this thread if the executor refuses
   * the task.
   */
  void read(long fromOffset, long toOffset, Consumer<Result> then) {
    try {
      executor.execute(() -> then.accept(result(fromOffset, toOffset)));
    } catch (RejectedExecutionException e) {
      then.accept(new Result.Unreadable("foreign records can no longer be read"));
    }
  }

  private Result result(long fromOffset, long toOffset) {
    long[] newer = {0};
    try {
      log.read(fromOffset, toOffset, stored -> newer[0] = Math.max(newer[0], newerTerm(stored)));
    } catch (LogException | RuntimeException | Error e) {
      return new Result.Unreadable("foreign records could not be read: " + e.getMessage());
    }
    return newer[0] > 0 ? new Result.FencedBy(newer[0]) : new Result.NothingNewer();
  }

  /**
   * Returns the newer term of a fence, or of an operation whose fence this writer cannot see
   * because the log lost records; 0 for a record that every reader rejects.
   *
   * @throws IllegalStateException for an operation of this term that this writer did not append:
   *     the log was restored and the term was assigned again
   */
  private long newerTerm(StoredRecord stored) {
    if (stored.record().header().length == 0) {
      return 0;
    }
    RecordHeader header;
    try {
      header = RecordHeader.read(stored.record().header());
    } catch (MalformedRecordException e) {
      throw new UnreadableRecordException(log, stored.offset(), e);
    }
    if (header.kind() == RecordHeader.Kind.DATA && header.term() == term) {
      throw new IllegalStateException(
          "another writer has written in term " + term + ", at offset " + stored.offset());
    }
    return header.term() > term ? header.term() : 0;
  }
}
