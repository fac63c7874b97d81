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
 * Refuses what would fill the heap, with {@code circuit_breaking_exception} of the breaker {@code
 * parent}. It compares with its limit either the heap that is really in use, or, where that is
 * switched off, what the other breakers of the service have accounted for.
 */
public final class ParentBreaker {

  private static final String NAME = "parent";

  private final LongSupplier limitBytes;
  private final BooleanSupplier real;
  private final @Nullable HeapWatch heap;
  private final AtomicLong accounted = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /**
   * @param limitBytes asked each time
   * @param real whether the heap in use counts; asked each time
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

  /** One that counts what is accounted for and nothing else. */
  public static ParentBreaker ofAccounted(LongSupplier limitBytes) {
    return new ParentBreaker(limitBytes);
  }

  /**
   * Before something begins that will need memory.
   *
   * @param label what it is
   */
  public void check(String label) {
    take(0, label);
  }

  /** Before something begins that will need so many bytes for a moment. */
  public void check(long bytes, String label) {
    take(bytes, label);
    giveBack(bytes);
  }

  /**
   * Runs what takes so many bytes and allocates them; where they are many, not at the same time as
   * another one.
   */
  public <T> T inTurn(long bytes, Supplier<T> allocation) {
    HeapWatch watch = heap;
    return bytes < HeapWatch.LARGE_BYTES || watch == null
        ? allocation.get()
        : watch.inTurn(allocation);
  }

  /** An array that is needed for a moment, if there is room for it. */
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
   * @param label what they are for
   */
  public void take(long bytes, String label) {
    long all = accounted.addAndGet(bytes);
    long limit = limitBytes.getAsLong();
    HeapWatch watch = heap;
    long wanted;
    if (watch != null && real.getAsBoolean()) {
      // What was accounted for before is in use by now.
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
   * Accounts for what one purpose takes, step by step, until the account is closed. A step after
   * that throws: the one who needed it is gone.
   *
   * @param label what it is for
   */
  public Account open(String label) {
    return new Account(label);
  }

  /** What was taken for one purpose. */
  public final class Account implements IntFunction<byte[]>, AutoCloseable {
    private final String label;
    private long taken;
    private boolean closed;

    private Account(String label) {
      this.label = label;
    }

    /** An array of so many bytes, if there is room for it. */
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

  /** As {@code _nodes/stats} shows it, under its name. */
  public Map<String, Object> figures() {
    HeapWatch watch = heap;
    long used = watch != null && real.getAsBoolean() ? watch.usedBytes() : accounted.get();
    return Map.of(NAME, CircuitBreaking.figures(limitBytes.getAsLong(), used, 1.0, tripped.get()));
  }
}
