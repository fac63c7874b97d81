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
    return new FencedTail(
        log.subscribeAlone(
            fromOffset,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                List<StoredRecord> accepted = new ArrayList<>(batch.size());
                for (StoredRecord stored : batch) {
                  if (fence.judge(stored.record()).accepted()) {
                    accepted.add(stored);
                  }
                }
                listener.accepted(accepted, batch.getLast().offset() + 1, fence.term());
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                listener.lost(reason);
              }
            }));
  }

  @Override
  public void close() {
    subscription.close();
  }
}
