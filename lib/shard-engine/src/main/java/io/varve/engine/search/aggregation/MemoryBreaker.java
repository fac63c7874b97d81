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
 * A circuit breaker for one purpose: memory of running searches, or of fielddata. Each user has an
 * account, which takes memory from the total in steps; a step beyond the limit is rejected with
 * {@code circuit_breaking_exception}. A closed account holds nothing.
 */
public final class MemoryBreaker {

  /** The step in which a search's account takes memory from the total. */
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
   * The request breaker.
   *
   * @param limitBytes for all searches together; evaluated on each check
   */
  public MemoryBreaker(LongSupplier limitBytes, ParentBreaker parent) {
    this("request", "aggregations", STEP_BYTES, limitBytes, parent);
  }

  /** A request breaker that shares its total with no other breaker. */
  public MemoryBreaker(LongSupplier limitBytes, LongSupplier totalLimitBytes) {
    this(limitBytes, ParentBreaker.ofAccounted(totalLimitBytes));
  }

  /** The fielddata breaker, whose memory outlives searches. */
  public static MemoryBreaker ofFields(LongSupplier limitBytes, ParentBreaker parent) {
    return new MemoryBreaker("fielddata", "fielddata", 1, limitBytes, parent);
  }

  /** A breaker without a limit. */
  public static MemoryBreaker unbounded() {
    return new MemoryBreaker(() -> Long.MAX_VALUE, () -> Long.MAX_VALUE);
  }

  /** Opens an account for one search; it must be closed. */
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

  /** The breaker's entry in {@code _nodes/stats}, with the parent breaker's. */
  public Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(name, CircuitBreaking.stats(limitBytes.getAsLong(), used.get(), 1.0, tripped.get()));
    all.putAll(parent.stats());
    return all;
  }

  /** Shared by the slices of a search. */
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
