package io.varve.engine.search.aggregation;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.CircuitBreaking;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bounds what a node holds in memory at the same time for one purpose: the running searches, or the
 * values of fields. Each holder has an account; what it charges is taken from the whole in steps,
 * and a step beyond the limit is refused with {@code circuit_breaking_exception}. A closed account
 * holds nothing.
 */
public final class MemoryBreaker {

  /** What an account of a search takes from the whole at a time. */
  private static final long STEP_BYTES = 64 * 1024;

  private final String name;
  private final String label;
  private final long stepBytes;
  private final LongSupplier limitBytes;
  private final ParentBreaker parent;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  private MemoryBreaker(
      String name, String label, long stepBytes, LongSupplier limitBytes, ParentBreaker parent) {
    this.name = name;
    this.label = label;
    this.stepBytes = stepBytes;
    this.limitBytes = limitBytes;
    this.parent = parent;
  }

  /**
   * Of searches.
   *
   * @param limitBytes what all searches may hold; asked each time
   */
  public MemoryBreaker(LongSupplier limitBytes, ParentBreaker parent) {
    this("request", "aggregations", STEP_BYTES, limitBytes, parent);
  }

  /** Of searches, which nothing else shares the memory with. */
  public MemoryBreaker(LongSupplier limitBytes, LongSupplier totalLimitBytes) {
    this(limitBytes, ParentBreaker.ofAccounted(totalLimitBytes));
  }

  /** Of the values of fields, which stay when a search is over. */
  public static MemoryBreaker ofFields(LongSupplier limitBytes, ParentBreaker parent) {
    return new MemoryBreaker("fielddata", "fielddata", 1, limitBytes, parent);
  }

  /** One that lets everything through. */
  public static MemoryBreaker unbounded() {
    return new MemoryBreaker(() -> Long.MAX_VALUE, () -> Long.MAX_VALUE);
  }

  /** An account of one search; it must be closed. */
  public MemoryAccount open() {
    return new Account();
  }

  public long usedBytes() {
    return used.get();
  }

  private void take(long bytes) {
    long wanted = used.addAndGet(bytes);
    long limit = limitBytes.getAsLong();
    if (wanted > limit) {
      used.addAndGet(-bytes);
      tripped.incrementAndGet();
      throw refused(name, wanted, limit);
    }
    try {
      parent.take(bytes, label);
    } catch (ApiException e) {
      used.addAndGet(-bytes);
      throw e;
    }
  }

  private void giveBack(long bytes) {
    used.addAndGet(-bytes);
    parent.giveBack(bytes);
  }

  private ApiException refused(String breaker, long wanted, long limit) {
    return CircuitBreaking.refused(breaker, label, wanted, limit, name.equals("request"));
  }

  /** As {@code _nodes/stats} shows it, and the memory of all breakers together. */
  public Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(name, CircuitBreaking.figures(limitBytes.getAsLong(), used.get(), 1.0, tripped.get()));
    all.putAll(parent.figures());
    return all;
  }

  /** Slices of one search charge the same account. */
  private final class Account implements MemoryAccount {
    private long charged;
    private long taken;
    private boolean closed;

    @Override
    public synchronized void charge(long bytes) {
      if (closed) {
        throw new IllegalStateException("an account was charged after it was closed");
      }
      long next = charged + bytes;
      if (next > taken) {
        long step = Math.max(stepBytes, next - taken);
        take(step);
        taken += step;
      }
      charged = next;
    }

    @Override
    public <T> T allocate(long bytes, Supplier<T> allocation) {
      return parent.inTurn(
          bytes,
          () -> {
            charge(bytes);
            return allocation.get();
          });
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        giveBack(taken);
      }
    }
  }
}
