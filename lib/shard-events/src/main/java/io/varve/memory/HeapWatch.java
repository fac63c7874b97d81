package io.varve.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether the heap has room for more, as far as that can be known.
 *
 * <p>The bytes in use include garbage, and a generational collector lets garbage fill the old
 * generation before it collects it; so a full heap is no proof that memory is short. Rule, for
 * {@code used + wanted} against a limit:
 *
 * <pre>
 *   within the limit                             there is room
 *   beyond, and a collection is due              collect, and decide by what is left
 *   beyond, and none is due                      there is no room
 * </pre>
 *
 * A collection is due {@value #REST_FACTOR} times its own duration after the one before, or {@value
 * #SHORT_REST_FACTOR} times when an eighth of the limit was allocated since. So collections that
 * this class asks for take at most a quarter of the time, and a refusal without a new one is
 * mistaken by at most an eighth of the limit.
 *
 * <p>A large object needs space in one piece too: where no generation has it, there is no room.
 *
 * <p>Two large objects could each be found room for and not fit together, so each is {@linkplain
 * #inTurn allocated} before there is room for the next one.
 *
 * <p>INVARIANT: there is never said to be room when used and wanted bytes exceed the limit.
 */
public final class HeapWatch {

  /** From here on an object may be too large for the space that is left in any generation. */
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

  /** That of this process, which all its services share. */
  public static HeapWatch ofThisProcess() {
    return THIS_PROCESS;
  }

  public long usedBytes() {
    return heap.usedBytes();
  }

  /**
   * The bytes in use, without those of garbage where that makes a difference.
   *
   * @param wantedBytes to be allocated
   * @return at most {@code limitBytes - wantedBytes} when there is room
   */
  public long usedFor(long wantedBytes, long limitBytes) {
    long used = heap.usedBytes();
    if (fits(used, wantedBytes, limitBytes)) {
      return used;
    }
    collecting.lock();
    try {
      // Another thread may have collected meanwhile, or the collector by itself.
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

  /** Runs what asks for the room of a large object and allocates it, one at a time. */
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

  /** A heap with no space for an object of that size counts as full. */
  private static long refusing(long used, long wanted, long limit) {
    return Math.max(used, limit - wanted + 1);
  }
}
