package io.varve.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Estimates whether the heap has room for an allocation.
 *
 * <p>The bytes in use include garbage, and a generational collector lets garbage fill the old
 * generation before collecting it, so a full heap does not prove that memory is short. Rule, for
 * {@code used + wanted} against a limit:
 *
 * <pre>
 *   within the limit                             room
 *   above, and a collection is due               collect, and decide by the result
 *   above, and none is due                       no room
 * </pre>
 *
 * A collection is due after {@value #REST_FACTOR} times the duration of the previous one, or
 * {@value #SHORT_REST_FACTOR} times if an eighth of the limit was allocated since. Collections
 * requested by this class therefore take at most a quarter of the time, and a refusal without a new
 * collection is wrong by at most an eighth of the limit.
 *
 * <p>A large object also needs contiguous space: without a generation that has it, there is no
 * room.
 *
 * <p>Two large objects may fit individually but not together, so each is {@linkplain #inTurn
 * allocated} before the next one is checked.
 *
 * <p>INVARIANT: it never reports room when used and wanted bytes exceed the limit.
 */
public final class HeapWatch {

  /** From this size on an object may not fit into the remaining space of any generation. */
  static final long LARGE_BYTES = 1L << 20;

  private static final int REST_FACTOR = 10;
  private static final int SHORT_REST_FACTOR = 3;
  private static final int ALLOCATED_SHARE = 8;
  private static final long LEAST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final HeapWatch THIS_PROCESS =
      new HeapWatch(Heap.ofThisProcess(), System::nanoTime);

  private final Heap heap;
  private final LongSupplier nanoTime;
  private final ReentrantLock collecting = new ReentrantLock();
  private final ReentrantLock allocating = new ReentrantLock();

  // Guarded by the lock.
  private boolean collected;
  private long endedNanos;
  private long tookNanos;
  private long leftBytes;

  public HeapWatch(Heap heap, LongSupplier nanoTime) {
    this.heap = heap;
    this.nanoTime = nanoTime;
  }

  /** The watch of this process, shared by all its services. */
  public static HeapWatch ofThisProcess() {
    return THIS_PROCESS;
  }

  public long usedBytes() {
    return heap.usedBytes();
  }

  /**
   * The bytes in use, excluding garbage where that affects the decision.
   *
   * @param wantedBytes the allocation to check
   * @return at most {@code limitBytes - wantedBytes} if there is room
   */
  public long usedFor(long wantedBytes, long limitBytes) {
    long used = heap.usedBytes();
    if (fits(used, wantedBytes, limitBytes)) {
      return used;
    }
    collecting.lock();
    try {
      // Another thread, or the collector itself, may have collected in the meantime.
      used = heap.usedBytes();
      if (fits(used, wantedBytes, limitBytes)) {
        return used;
      }
      if (!isDue(used, limitBytes)) {
        return refusing(used, wantedBytes, limitBytes);
      }
      long began = nanoTime.getAsLong();
      heap.collect();
      collected = true;
      endedNanos = nanoTime.getAsLong();
      tookNanos = endedNanos - began;
      leftBytes = heap.usedBytes();
      return fits(leftBytes, wantedBytes, limitBytes)
          ? leftBytes
          : refusing(leftBytes, wantedBytes, limitBytes);
    } finally {
      collecting.unlock();
    }
  }

  /** Serializes the check for a large object and its allocation. */
  <T> T inTurn(Supplier<T> allocation) {
    allocating.lock();
    try {
      return allocation.get();
    } finally {
      allocating.unlock();
    }
  }

  private boolean isDue(long used, long limitBytes) {
    if (!collected) {
      return true;
    }
    long restedNanos = nanoTime.getAsLong() - endedNanos;
    long allocated = used - leftBytes;
    int factor = allocated >= limitBytes / ALLOCATED_SHARE ? SHORT_REST_FACTOR : REST_FACTOR;
    return restedNanos >= Math.max(LEAST_REST_NANOS, tookNanos) * factor;
  }

  private boolean fits(long used, long wanted, long limit) {
    return used <= limit - wanted
        && (wanted < LARGE_BYTES || wanted + LARGE_BYTES <= heap.roomForOneBytes());
  }

  /** Without contiguous space for the object the heap counts as full. */
  private static long refusing(long used, long wanted, long limit) {
    return Math.max(used, limit - wanted + 1);
  }
}
