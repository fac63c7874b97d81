package io.varve.engine.search.aggregation;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.CircuitBreaking;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A circuit breaker for the memory of running searches or of fielddata. Each user has an account,
 * which takes memory from the total in steps; a step beyond the limit is rejected with {@code
 * circuit_breaking_exception}. Closing an account returns all its memory.
 */
public final class MemoryBreaker {

  /** The step in which a search's account takes memory from the total. */
  private static final long STEP_BYTES = 64 * 1024;

  private final String name;
  private final String label;
  private final long stepBytes;
  private final Limit limit;
  private final ParentBreaker parent;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /**
   * The limit of a breaker; both are evaluated on each check.
   *
   * @param bytes for all users together
   * @param overhead factor by which estimates are multiplied before they are compared with it
   */
  public record Limit(LongSupplier bytes, DoubleSupplier overhead) {

    /** A limit of the estimates themselves. */
    public static Limit of(LongSupplier bytes) {
      return new Limit(bytes, () -> 1);
    }
  }

  private MemoryBreaker(
      String name, String label, long stepBytes, Limit limit, ParentBreaker parent) {
    this.name = name;
    this.label = label;
    this.stepBytes = stepBytes;
    this.limit = limit;
    this.parent = parent;
  }

  /** The request breaker, which limits the memory of all searches together. */
  public MemoryBreaker(Limit limit, ParentBreaker parent) {
    this("request", "aggregations", STEP_BYTES, limit, parent);
  }

  /** A request breaker that shares its total with no other breaker. */
  public MemoryBreaker(LongSupplier limitBytes, LongSupplier totalLimitBytes) {
    this(Limit.of(limitBytes), ParentBreaker.ofAccounted(totalLimitBytes));
  }

  /** The fielddata breaker, whose memory outlives searches. */
  public static MemoryBreaker ofFields(Limit limit, ParentBreaker parent) {
    return new MemoryBreaker("fielddata", "fielddata", 1, limit, parent);
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

  /** Returns the bytes that the parent breaker has charged for them. */
  private long take(long bytes) {
    double overhead = limit.overhead.getAsDouble();
    long wanted = (long) (used.addAndGet(bytes) * overhead);
    long limitBytes = limit.bytes.getAsLong();
    if (wanted > limitBytes) {
      used.addAndGet(-bytes);
      tripped.incrementAndGet();
      throw CircuitBreaking.refused(name, label, wanted, limitBytes, name.equals("request"));
    }
    long counted = (long) (bytes * overhead);
    try {
      parent.take(counted, label);
    } catch (ApiException e) {
      used.addAndGet(-bytes);
      throw e;
    }
    return counted;
  }

  /** The breaker's entry in {@code _nodes/stats}, with the parent breaker's. */
  public Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(
        name,
        CircuitBreaking.stats(
            limit.bytes.getAsLong(), used.get(), limit.overhead.getAsDouble(), tripped.get()));
    all.putAll(parent.stats());
    return all;
  }

  /** Shared by the slices of a search. */
  private final class Account implements MemoryAccount {
    private long charged;
    private long taken;
    private long takenFromParent;
    private boolean closed;

    @Override
    public synchronized void charge(long bytes) {
      if (closed) {
        throw new IllegalStateException("an account was charged after it was closed");
      }
      long next = charged + bytes;
      if (next > taken) {
        long step = Math.max(stepBytes, next - taken);
        takenFromParent += take(step);
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
        used.addAndGet(-taken);
        parent.giveBack(takenFromParent);
      }
    }
  }
}
