package io.varve.memory;

import io.varve.rpc.CircuitBreaking;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parent circuit breaker: rejects allocations that would exceed the heap limit, with {@code
 * circuit_breaking_exception} of breaker {@code parent}. Its limit applies to the real heap usage
 * or, if that is disabled, to the memory accounted for by the service's other breakers.
 */
public final class ParentBreaker {

  private static final String NAME = "parent";

  private final LongSupplier limitBytes;
  private final BooleanSupplier real;
  private final @Nullable HeapWatch heap;
  private final AtomicLong accounted = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /**
   * @param limitBytes evaluated on each check
   * @param real whether real heap usage counts; evaluated on each check
   */
  public ParentBreaker(LongSupplier limitBytes, BooleanSupplier real, HeapWatch heap) {
    this.limitBytes = limitBytes;
    this.real = real;
    this.heap = heap;
  }

  private ParentBreaker(LongSupplier limitBytes) {
    this.limitBytes = limitBytes;
    this.real = () -> false;
    this.heap = null;
  }

  /** A breaker that counts accounted memory only. */
  public static ParentBreaker ofAccounted(LongSupplier limitBytes) {
    return new ParentBreaker(limitBytes);
  }

  /**
   * Checks before an operation that needs an unknown amount of memory.
   *
   * @param label describes the operation
   */
  public void check(String label) {
    take(0, label);
  }

  /** Checks before an operation that temporarily needs this many bytes. */
  public void check(long bytes, String label) {
    take(bytes, label);
    giveBack(bytes);
  }

  /** Runs an operation that allocates this many bytes; large allocations are serialized. */
  public <T> T inTurn(long bytes, Supplier<T> allocation) {
    HeapWatch watch = heap;
    return bytes < HeapWatch.LARGE_BYTES || watch == null
        ? allocation.get()
        : watch.inTurn(allocation);
  }

  /**
   * Runs work that temporarily needs this many bytes, if there is room. Work that needs much memory
   * is serialized, so that no two tasks are both granted the last free memory.
   */
  public <T> T charged(long bytes, String label, Supplier<T> work) {
    return inTurn(
        bytes,
        () -> {
          take(bytes, label);
          try {
            return work.get();
          } finally {
            giveBack(bytes);
          }
        });
  }

  /** Allocates a temporary array if there is room. */
  public byte[] newArray(int sizeBytes, String label) {
    return inTurn(
        sizeBytes,
        () -> {
          check(sizeBytes, label);
          return new byte[sizeBytes];
        });
  }

  /**
   * Accounts for bytes that are about to be allocated.
   *
   * @param label describes their purpose
   */
  public void take(long bytes, String label) {
    long all = accounted.addAndGet(bytes);
    long limit = limitBytes.getAsLong();
    HeapWatch watch = heap;
    long wanted;
    if (watch != null && real.getAsBoolean()) {
      // Memory accounted for earlier is in use by now, so only the new bytes are added.
      long used = watch.usedFor(bytes, limit);
      wanted = used + bytes;
    } else {
      wanted = all;
    }
    if (wanted > limit) {
      accounted.addAndGet(-bytes);
      tripped.incrementAndGet();
      throw CircuitBreaking.refused(NAME, label, wanted, limit, true);
    }
  }

  public void giveBack(long bytes) {
    accounted.addAndGet(-bytes);
  }

  /**
   * Opens an account for memory that one operation allocates step by step. Charging it after it was
   * closed throws, since the operation is over.
   *
   * @param label describes the purpose
   */
  public Account open(String label) {
    return new Account(label);
  }

  /** The memory of one operation, as added to the breaker. */
  public final class Account implements IntFunction<byte[]>, AutoCloseable {
    private final String label;
    private long taken;
    private boolean closed;

    private Account(String label) {
      this.label = label;
    }

    /** Allocates an array if there is room. */
    @Override
    public byte[] apply(int sizeBytes) {
      return inTurn(
          sizeBytes,
          () -> {
            charge(sizeBytes);
            return new byte[sizeBytes];
          });
    }

    private synchronized void charge(long bytes) {
      if (closed) {
        throw new IllegalStateException("an account was charged after it was closed");
      }
      take(bytes, label);
      taken += bytes;
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        giveBack(taken);
      }
    }
  }

  /** The breaker's entry in {@code _nodes/stats}. */
  public Map<String, Object> stats() {
    HeapWatch watch = heap;
    long used = watch != null && real.getAsBoolean() ? watch.usedBytes() : accounted.get();
    return Map.of(NAME, CircuitBreaking.stats(limitBytes.getAsLong(), used, 1.0, tripped.get()));
  }
}
