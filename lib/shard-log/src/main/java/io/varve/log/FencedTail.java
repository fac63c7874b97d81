package io.varve.log;

import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Follows a fenced partition and hands on only what is accepted. Used by whoever applies a history
 * that others write: replicas that index, followers of other clusters.
 */
public final class FencedTail implements AutoCloseable {

  /** Sees accepted records in order. */
  public interface Listener {

    /**
     * @param batch may be empty when all that came was rejected
     * @param nextOffset the offset right behind what was read
     * @param term the term in force there
     */
    void accepted(List<StoredRecord> batch, long nextOffset, long term);

    /** The position was truncated away or the topic is gone; nothing more will come. */
    void lost(LogException.OutOfRange reason);

    /** What is before that record was handed on; nothing more will come. */
    default void unreadable(UnreadableRecordException reason) {
      throw reason;
    }
  }

  private final PartitionLog.Subscription subscription;

  private FencedTail(PartitionLog.Subscription subscription) {
    this.subscription = subscription;
  }

  /**
   * Begins at {@code fromOffset}, just before which {@code fence} is the state; the tail owns it
   * from then on.
   */
  public static FencedTail follow(
      PartitionLog log, long fromOffset, TermFence fence, Listener listener) {
    return new FencedTail(log.subscribeAlone(fromOffset, new Judge(log, fence, listener)));
  }

  /** Called by one thread at a time. */
  private static final class Judge implements PartitionLog.BatchListener {

    private final PartitionLog log;
    private final TermFence fence;
    private final Listener listener;
    private boolean ended;

    Judge(PartitionLog log, TermFence fence, Listener listener) {
      this.log = log;
      this.fence = fence;
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
      for (StoredRecord stored : batch) {
        try {
          if (fence.judge(log, stored).accepted()) {
            accepted.add(stored);
          }
        } catch (UnreadableRecordException e) {
          unreadable = e;
          break;
        }
        nextOffset = stored.offset() + 1;
      }
      if (nextOffset > batch.getFirst().offset()) {
        listener.accepted(accepted, nextOffset, fence.term());
      }
      if (unreadable != null) {
        ended = true;
        listener.unreadable(unreadable);
      }
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
