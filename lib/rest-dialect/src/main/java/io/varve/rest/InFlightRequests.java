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
 * Bounds what the bodies of the requests under way take of the heap, from the first byte that is
 * read to the answer. A body counts {@code overhead} times its size, for what is made of it; one
 * that would be too much, or that the heap has no room for, is refused with {@code
 * circuit_breaking_exception} before it is held.
 */
public final class InFlightRequests {

  private static final String NAME = "in_flight_requests";
  private static final String LABEL = "<http_request>";

  private final LongSupplier limitBytes;
  private final DoubleSupplier overhead;
  private final ParentBreaker parent;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /** Both are asked each time. */
  public InFlightRequests(LongSupplier limitBytes, DoubleSupplier overhead, ParentBreaker parent) {
    this.limitBytes = limitBytes;
    this.overhead = overhead;
    this.parent = parent;
  }

  /** What one request holds; for one thread. */
  public final class Account implements AutoCloseable {
    private long charged;

    /** Before so many more bytes of the body are held. */
    void charge(long bytes) {
      long counted = counted(bytes);
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

    /** Refuses what {@link #charge} would refuse now, and charges nothing. */
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
      used.addAndGet(-charged);
      parent.giveBack(charged);
      charged = 0;
    }
  }

  public Account open() {
    return new Account();
  }

  /** Before a request runs that will need memory. */
  public void checkHeap() {
    parent.check(LABEL);
  }

  /** For the node's report. */
  public Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>(parent.stats());
    all.put(
        NAME,
        CircuitBreaking.stats(
            limitBytes.getAsLong(), used.get(), overhead.getAsDouble(), tripped.get()));
    return all;
  }
}
