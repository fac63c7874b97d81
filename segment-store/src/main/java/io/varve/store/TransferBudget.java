package io.varve.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The budgets of a node's transfer lanes. A lane without a limit never waits, but for one: merged
 * segments let what is fresh go first, though never for long at a time.
 */
public final class TransferBudget {

  private static final long COURTESY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  public static final TransferBudget UNLIMITED = new TransferBudget(Map.of());

  private final Map<TransferLane, TokenBucket> buckets = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition calm = lock.newCondition();
  private int fresh;
  private long mergedLimit;

  /** A limit of 0 bytes per second, or none, is no limit. */
  public TransferBudget(Map<TransferLane, Long> bytesPerSecond) {
    bytesPerSecond.forEach(this::limit);
  }

  private void limit(TransferLane lane, long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bytes per second of lane " + lane + " must be >= 0, was " + bytesPerSecond);
    }
    if (bytesPerSecond > 0) {
      buckets.put(lane, new TokenBucket(bytesPerSecond, System.nanoTime()));
    } else {
      buckets.remove(lane);
    }
  }

  /** From here on merged segments have that limit, 0 for none. */
  public void limitMerged(long bytesPerSecond) {
    lock.lock();
    try {
      if (bytesPerSecond != mergedLimit) {
        limit(TransferLane.MERGED, bytesPerSecond);
        mergedLimit = bytesPerSecond;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A file is about to be fetched; {@link #ended} follows. */
  void began(TransferLane lane) {
    count(lane, 1);
  }

  void ended(TransferLane lane) {
    count(lane, -1);
  }

  private void count(TransferLane lane, int more) {
    if (lane != TransferLane.FRESHNESS) {
      return;
    }
    lock.lock();
    try {
      fresh += more;
      if (fresh == 0) {
        calm.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the lane's budget allows the bytes to be moved. */
  void await(TransferLane lane, long bytes) throws InterruptedException {
    if (lane == TransferLane.MERGED) {
      letFreshGoFirst();
    }
    TokenBucket bucket = buckets.get(lane);
    if (bucket != null) {
      TimeUnit.NANOSECONDS.sleep(bucket.reserve(bytes, System.nanoTime()));
    }
  }

  private void letFreshGoFirst() throws InterruptedException {
    long left = COURTESY_NANOS;
    lock.lock();
    try {
      while (fresh > 0 && left > 0) {
        left = calm.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
