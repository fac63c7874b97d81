package io.varve.log;

import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a fenced partition and delivers accepted records only. Used by consumers of a history
 * that others write: replicas that index, followers of other clusters.
 */
public final class FencedTail implements AutoCloseable {

  /** Receives accepted records in order. */
  public interface Listener {

    /**
     * @param batch may be empty when every record read was rejected
     * @param nextOffset the offset after the last record read
     * @param term the term in force there
     */
    void accepted(List<StoredRecord> batch, long nextOffset, long term);

    /**
     * The position was truncated, the topic was deleted, or the log holds records before the
     * position that this tail lacks: it continues with a revival, has lost its tail and regained
     * it, or was replaced. Only a tail that may block detects the last two cases. Terminal: no
     * further calls.
     */
    void lost(LogException.OutOfRange reason);

    /** See {@link PartitionLog.BatchListener#logEnd}. */
    default void logEnd(long offset, long ageNanos) {}

    /** See {@link PartitionLog.BatchListener#reconnected}. */
    default void reconnected() {}

    /** See {@link PartitionLog.BatchListener#isReady}. */
    default boolean isReady() {
      return true;
    }

    /**
     * The record is an operation of a term whose fence this tail did not read; see {@link
     * TermFence#isBeforeFenceOf}. It is rejected. Records read before it may be delivered later. A
     * tail that may block then looks for the fence, and is {@link #lost} if the log has one before
     * the position.
     */
    default void fenceMissed(StoredRecord record) {}

    /**
     * The record is an operation of the present term whose predecessors this tail has not accepted:
     * the partition lacks them, or this tail has skipped them; see {@link SkippedRecords}. It is
     * rejected. A tail that may block decides which of the two it is.
     */
    default void gapFound(StoredRecord record) {}

    /** The records before this one were delivered. Terminal: no further calls. */
    default void unreadable(UnreadableRecordException reason) {
      throw reason;
    }
  }

  private final PartitionLog.Subscription subscription;

  private FencedTail(PartitionLog.Subscription subscription) {
    this.subscription = subscription;
  }

  /**
   * Starts at {@code fromOffset}; {@code fence} is the state just before it, and is owned by the
   * tail from then on.
   */
  public static FencedTail follow(
      PartitionLog log, long fromOffset, TermFence fence, Listener listener) {
    SkippedRecords skipped = new SkippedRecords(log, fromOffset, fence);
    return new FencedTail(log.subscribeAlone(fromOffset, new Judge(log, fence, skipped, listener)));
  }

  /**
   * Like {@link #follow}, on a consumer that several partitions share: the listener must not block,
   * and reports that it is not ready while it accepts no records. After {@link Listener#gapFound}
   * it must read again what this tail may have skipped.
   */
  public static FencedTail followShared(
      PartitionLog log, long fromOffset, TermFence fence, Listener listener) {
    return new FencedTail(log.subscribe(fromOffset, new Judge(log, fence, null, listener)));
  }

  /** The listener may be ready again. */
  public void resume() {
    subscription.resume();
  }

  /** Called by one thread at a time. */
  private static final class Judge implements PartitionLog.BatchListener {

    private final PartitionLog log;
    private final TermFence fence;
    private final @Nullable SkippedRecords skipped;
    private final Listener listener;
    private boolean ended;

    Judge(PartitionLog log, TermFence fence, @Nullable SkippedRecords skipped, Listener listener) {
      this.log = log;
      this.fence = fence;
      this.skipped = skipped;
      this.listener = listener;
    }

    @Override
    public void records(List<StoredRecord> batch) {
      if (ended) {
        return;
      }
      List<StoredRecord> accepted = new ArrayList<>(batch.size());
      long nextOffset = batch.getFirst().offset();
      UnreadableRecordException unreadable = null;
      long revivedAt = -1;
      for (StoredRecord stored : batch) {
        try {
          TermFence.Verdict verdict = fence.judge(log, stored);
          if (skipped != null) {
            skipped.judged(stored, verdict);
          }
          if (verdict == TermFence.Verdict.REVIVED) {
            revivedAt = stored.offset();
            break;
          } else if (verdict.accepted()) {
            accepted.add(stored);
          } else if (fence.isBeforeFenceOf(stored.record())) {
            listener.fenceMissed(stored);
          } else if (verdict == TermFence.Verdict.OUT_OF_SEQUENCE
              && fence.isGapBefore(stored.record())) {
            listener.gapFound(stored);
          }
        } catch (UnreadableRecordException e) {
          unreadable = e;
          break;
        }
        nextOffset = stored.offset() + 1;
      }
      if (skipped != null && skipped.areBefore(nextOffset)) {
        ended = true;
        listener.lost(
            new LogException.OutOfRange(
                log.topic()
                    + ", partition "
                    + log.partition()
                    + " holds records before offset "
                    + nextOffset
                    + " that this reader has not read"));
        return;
      }
      if (nextOffset > batch.getFirst().offset()) {
        listener.accepted(accepted, nextOffset, fence.term());
      }
      if (revivedAt >= 0) {
        ended = true;
        listener.lost(LogBeginning.behind(log, revivedAt));
      }
      if (unreadable != null) {
        ended = true;
        listener.unreadable(unreadable);
      }
    }

    @Override
    public void logEnd(long offset, long ageNanos) {
      listener.logEnd(offset, ageNanos);
    }

    @Override
    public boolean isReady() {
      return listener.isReady();
    }

    @Override
    public void reconnected() {
      listener.reconnected();
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      listener.lost(reason);
    }
  }

  @Override
  public void close() {
    subscription.close();
  }
}
