package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.List;

/**
 * One partition of a message log: an ordered sequence of records that grows at its end and is
 * truncated at its start. A damaged or restored log may also lose its tail; {@link LogContinuity}
 * detects that.
 *
 * <p>Appends by one opener keep call order (an idempotent producer: never reordered or duplicated).
 * Offsets increase; in a topic that is neither transactional nor compacted they are consecutive.
 */
public interface PartitionLog {

  String topic();

  int partition();

  /** The largest record, in bytes of key, value and header, that {@link #append} accepts. */
  int maxRecordBytes();

  /**
   * Appends without waiting. The callback runs once, on a thread of the log, in the order of the
   * appends.
   *
   * @throws LogException.Full if nothing was sent because too many bytes are in flight; the
   *     callback will not run
   */
  void append(RawRecord record, AppendCallback callback) throws LogException.Full;

  /**
   * Reads the records in {@code [fromOffset, toOffset)} in order; blocks until all were visited.
   *
   * @throws LogException.OutOfRange unless {@code start <= fromOffset <= toOffset <= end}, also for
   *     an empty range; records before the end may have been visited
   * @throws LogException.Unavailable if the log could not be read in time
   */
  void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException;

  long startOffset() throws LogException.Unavailable;

  /** The offset of the next record. */
  long endOffset() throws LogException.Unavailable;

  /**
   * Follows the partition from {@code fromOffset} on without end: batches are delivered in order,
   * one at a time.
   */
  Subscription subscribe(long fromOffset, BatchListener listener);

  /**
   * As {@link #subscribe}, for a listener that may block: it delays no other subscription but uses
   * its own connection.
   */
  default Subscription subscribeAlone(long fromOffset, BatchListener listener) {
    return subscribe(fromOffset, listener);
  }

  /**
   * Reports that the caller has no more appends for now, so that the log can free the resources
   * that it holds for them. Another append is possible at any time.
   */
  default void endAppends() {}

  /** Deletes the records before {@code offset}. */
  void truncateBefore(long offset) throws LogException;

  /** Receives the outcome of one append. */
  interface AppendCallback {

    void appended(long offset, long timestampMillis);

    /** The record may be in the log, may arrive there later, or may never arrive. */
    void unknown(String reason);
  }

  /** Receives records in order. */
  @FunctionalInterface
  interface RecordVisitor {
    void visit(StoredRecord record);
  }

  /** Receives batches in order. */
  interface BatchListener {

    void records(List<StoredRecord> batch);

    /**
     * The log ended at that offset at some moment between {@code ageNanos} ago and now. Called
     * before some calls of {@link #records}.
     *
     * @param offset after the last record
     */
    default void logEnd(long offset, long ageNanos) {}

    /**
     * The next records may have been read over a new connection: since the previous records, a
     * broker may have been restarted with another log. May also be called without such an event.
     */
    default void reconnected() {}

    /**
     * Whether the listener accepts another batch. If not, the log reads nothing for it until {@link
     * Subscription#resume}; other listeners are not delayed. Batches that were read before may
     * still be delivered. Called often, so it must be cheap.
     */
    default boolean isReady() {
      return true;
    }

    /**
     * The position is no longer in the partition because its start passed the position, the log
     * lost its tail or the topic was deleted. Terminal: no further calls.
     */
    void lost(LogException.OutOfRange reason);
  }

  /** An active {@link #subscribe}. */
  interface Subscription extends AutoCloseable {

    /** The listener may be ready again; see {@link BatchListener#isReady}. */
    default void resume() {}

    @Override
    void close();
  }
}
