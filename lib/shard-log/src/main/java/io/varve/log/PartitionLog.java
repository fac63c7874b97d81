package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.List;

/**
 * One partition of a message log: an order of records that grows at its end and shrinks at its
 * start. A log that was damaged or restored may also end before what was once in it; {@link
 * LogContinuity} finds that out.
 *
 * <p>Appends of one opener keep the order of the calls (an idempotent producer: never reordered,
 * never doubled). Offsets rise; in a topic written without transactions and never compacted they
 * are consecutive.
 */
public interface PartitionLog {

  String topic();

  int partition();

  /** The largest record, in bytes of key, value and header, that {@link #append} takes. */
  int maxRecordBytes();

  /**
   * Appends without waiting. The callback runs once, on a thread of the log's, in the order of the
   * appends.
   *
   * @throws LogException.Full nothing was sent: too much is under way; the callback will not run
   */
  void append(RawRecord record, AppendCallback callback) throws LogException.Full;

  /**
   * Reads the records in {@code [fromOffset, toOffset)} in order, blocking until all were visited.
   *
   * @throws LogException.OutOfRange unless {@code start <= fromOffset <= toOffset <= end}, also
   *     when nothing is to be read; records before the end may have been visited
   * @throws LogException.Unavailable the log could not be read in time
   */
  void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException;

  long startOffset() throws LogException.Unavailable;

  /** The offset that the next record will get. */
  long endOffset() throws LogException.Unavailable;

  /**
   * Follows the partition from {@code fromOffset} on, for ever: each batch is delivered in order,
   * one at a time.
   */
  Subscription subscribe(long fromOffset, BatchListener listener);

  /**
   * The same for a listener that may block: it holds up nobody else, at the price of a connection
   * of its own.
   */
  default Subscription subscribeAlone(long fromOffset, BatchListener listener) {
    return subscribe(fromOffset, listener);
  }

  /** Forgets the records before {@code offset}. */
  void truncateBefore(long offset) throws LogException;

  /** Learns the fate of one append. */
  interface AppendCallback {

    void appended(long offset, long timestampMillis);

    /** It may be in the log or not, or get there later. */
    void unknown(String reason);
  }

  /** Sees records in order. */
  @FunctionalInterface
  interface RecordVisitor {
    void visit(StoredRecord record);
  }

  /** Sees batches in order. */
  interface BatchListener {

    void records(List<StoredRecord> batch);

    /**
     * The position is not in the partition any more, because its start passed it, its end went back
     * or the topic is gone; nothing more will come.
     */
    void lost(LogException.OutOfRange reason);
  }

  /** A running {@link #subscribe}. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
