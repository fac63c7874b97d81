package io.varve.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The rate limits of a node's transfer lanes. A lane without a limit never waits, except that
 * merged segments yield to fresh files, for a bounded time.
 *
 * <p>A lane may have a limit set by the node and one set by the cluster; the lower one applies. The
 * cluster's may change at any time and also affects waiting transfers.
 */
public final class TransferBudget {

  private static final long COURTESY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  public static final TransferBudget UNLIMITED = new TransferBudget(Map.of());

  /** Waits until the condition is signalled or the time has passed, like {@code awaitNanos}. */
  @FunctionalInterface
  interface Pause {
    long nanos(Condition changed, long nanos) throws InterruptedException;
  }

  /** Rate limit of one lane. */
  private static final class Limit {
    final TokenBucket bucket;
    final long ownBytesPerSecond;
    volatile long bytesPerSecond;
    final LongAdder bytes = new LongAdder();
    final LongAdder waitedNanos = new LongAdder();

    Limit(long ownBytesPerSecond, long nowNanos) {
      this.bucket = new TokenBucket(ownBytesPerSecond, nowNanos);
      this.ownBytesPerSecond = ownBytesPerSecond;
      this.bytesPerSecond = ownBytesPerSecond;
    }
  }

  private final Map<TransferLane, Limit> limits = new EnumMap<>(TransferLane.class);
  private final LongSupplier nanos;
  private final Pause pause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition calm = lock.newCondition();
  private final Condition changed = lock.newCondition();
  private int fresh;

  /**
   * @param bytesPerSecond the node's own limits; 0 or absent for no limit
   */
  public TransferBudget(Map<TransferLane, Long> bytesPerSecond) {
    this(bytesPerSecond, System::nanoTime, Condition::awaitNanos);
  }

  TransferBudget(Map<TransferLane, Long> bytesPerSecond, LongSupplier nanos, Pause pause) {
    this.nanos = nanos;
    this.pause = pause;
    for (TransferLane lane : TransferLane.values()) {
      long own = bytesPerSecond.getOrDefault(lane, 0L);
      if (own < 0) {
        throw new IllegalArgumentException(
            "bytes per second of lane " + lane + " must be >= 0, was " + own);
      }
      limits.put(lane, new Limit(own, nanos.getAsLong()));
    }
  }

  /** Sets the cluster's limit of the lane; 0 for none. */
  public void limit(TransferLane lane, long clusterBytesPerSecond) {
    Limit limit = limit(lane);
    long own = limit.ownBytesPerSecond;
    long lower =
        own > 0 && clusterBytesPerSecond > 0
            ? Math.min(own, clusterBytesPerSecond)
            : Math.max(own, clusterBytesPerSecond);
    if (lower == limit.bytesPerSecond) {
      return;
    }
    lock.lock();
    try {
      limit.bucket.rate(lower, nanos.getAsLong());
      limit.bytesPerSecond = lower;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The current rate of the lane in bytes per second; 0 for unlimited. */
  public long bytesPerSecond(TransferLane lane) {
    return limit(lane).bytesPerSecond;
  }

  /** The bytes that the lane has been permitted so far. */
  public long bytes(TransferLane lane) {
    return limit(lane).bytes.sum();
  }

  /** The time that transfers of the lane have waited so far; excluding transfers that wait now. */
  public long waitedNanos(TransferLane lane) {
    return limit(lane).waitedNanos.sum();
  }

  private Limit limit(TransferLane lane) {
    Limit limit = limits.get(lane);
    if (limit == null) {
      throw new IllegalArgumentException("no such lane: " + lane);
    }
    return limit;
  }

  /** Begins a fetch; must be followed by {@link #ended}. */
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

  /** Waits until the lane's budget permits the bytes. */
  void await(TransferLane lane, long bytes) throws InterruptedException {
    Limit limit = limit(lane);
    limit.bytes.add(bytes);
    if (limit.bytesPerSecond == 0 && lane != TransferLane.MERGED) {
      return;
    }
    long began = nanos.getAsLong();
    try {
      awaitTurn(lane, limit, bytes);
    } finally {
      limit.waitedNanos.add(nanos.getAsLong() - began);
    }
  }

  private void awaitTurn(TransferLane lane, Limit limit, long bytes) throws InterruptedException {
    if (lane == TransferLane.MERGED) {
      letFreshGoFirst();
    }
    if (limit.bytesPerSecond == 0) {
      return;
    }
    lock.lockInterruptibly();
    try {
      double position = limit.bucket.reserve(bytes, nanos.getAsLong());
      long left;
      while ((left = limit.bucket.nanosUntil(position, nanos.getAsLong())) > 0) {
        var _ = pause.nanos(changed, left);
      }
    } finally {
      lock.unlock();
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
