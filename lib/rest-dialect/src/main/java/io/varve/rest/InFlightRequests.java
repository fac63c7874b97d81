package io.varve.rest;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.CircuitBreaking;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Limits the memory of the bodies of requests in flight, from the first byte that is read until the
 * response. A body counts {@code overhead} times its size, to include the objects parsed from it. A
 * body that would exceed the limit, or for which the heap has no room, is refused with {@code
 * circuit_breaking_exception} before it is read into memory.
 */
public final class InFlightRequests {

  private static final String NAME = "in_flight_requests";
  private static final String LABEL = "<http_request>";

  private final LongSupplier limitBytes;
  private final DoubleSupplier overhead;
  private final ParentBreaker parent;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /** Both suppliers are evaluated on each check. */
  public InFlightRequests(LongSupplier limitBytes, DoubleSupplier overhead, ParentBreaker parent) {
    this.limitBytes = limitBytes;
    this.overhead = overhead;
    this.parent = parent;
  }

  /** The memory of one request; for one thread. */
  public final class Account implements AutoCloseable {
    private long charged;

    /**
     * Sets what the request holds: a body, and other buffers that exist only while the body is read
     * or converted. The objects that the overhead estimates do not exist yet at that time, so the
     * account counts the larger of the two.
     */
    void hold(long bodyBytes, long otherBytes) {
      long target = Math.max(counted(bodyBytes), bodyBytes + otherBytes);
      if (target > charged) {
        charge(target - charged);
      } else {
        giveBack(charged - target);
      }
    }

    private void charge(long counted) {
      long wanted = used.addAndGet(counted);
      long limit = limitBytes.getAsLong();
      if (wanted > limit) {
        used.addAndGet(-counted);
        throw refused(wanted, limit);
      }
      try {
        parent.take(counted, LABEL);
      } catch (ApiException e) {
        used.addAndGet(-counted);
        throw e;
      }
      charged += counted;
    }

    private void giveBack(long counted) {
      used.addAndGet(-counted);
      parent.giveBack(counted);
      charged -= counted;
    }

    /** Rejects what {@link #hold} would reject now, and charges nothing. */
    void requireRoom(long bytes) {
      long wanted = used.get() + counted(bytes);
      long limit = limitBytes.getAsLong();
      if (wanted > limit) {
        throw refused(wanted, limit);
      }
    }

    private long counted(long bytes) {
      return (long) Math.ceil(bytes * overhead.getAsDouble());
    }

    private ApiException refused(long wanted, long limit) {
      tripped.incrementAndGet();
      return CircuitBreaking.refused(NAME, LABEL, wanted, limit, true);
    }

    @Override
    public void close() {
      giveBack(charged);
    }
  }

  public Account open() {
    return new Account();
  }

  /** An account without a limit, for bytes that another account already counts. */
  static Account unlimited() {
    return new InFlightRequests(
            () -> Long.MAX_VALUE, () -> 1, ParentBreaker.ofAccounted(() -> Long.MAX_VALUE))
        .open();
  }

  /** Checks the heap before a request that needs memory runs. */
  public void checkHeap() {
    parent.check(LABEL);
  }

  /** The breaker's entry in the node statistics. */
  public Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>(parent.stats());
    all.put(
        NAME,
        CircuitBreaking.stats(
            limitBytes.getAsLong(), used.get(), overhead.getAsDouble(), tripped.get()));
    return all;
  }
}
