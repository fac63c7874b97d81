package io.varve.engine.search.aggregation;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds what the searches of a node hold in memory at the same time. Each has an account; what it
 * charges is taken from the whole in steps, and a step beyond the limit is refused with {@code
 * circuit_breaking_exception}. A closed account holds nothing.
 */
public final class MemoryBreaker {

  /** What an account takes from the whole at a time. */
  private static final long STEP_BYTES = 64 * 1024;

  private final LongSupplier requestLimitBytes;
  private final LongSupplier totalLimitBytes;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong requestTripped = new AtomicLong();
  private final AtomicLong totalTripped = new AtomicLong();

  /**
   * @param requestLimitBytes what all searches may hold; asked each time
   * @param totalLimitBytes what all that is accounted for may hold
   */
  public MemoryBreaker(LongSupplier requestLimitBytes, LongSupplier totalLimitBytes) {
    this.requestLimitBytes = requestLimitBytes;
    this.totalLimitBytes = totalLimitBytes;
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
    long request = requestLimitBytes.getAsLong();
    long total = totalLimitBytes.getAsLong();
    if (wanted <= request && wanted <= total) {
      return;
    }
    used.addAndGet(-bytes);
    boolean ofRequests = wanted > request;
    (ofRequests ? requestTripped : totalTripped).incrementAndGet();
    throw refused(ofRequests ? "request" : "parent", wanted, ofRequests ? request : total);
  }

  private static ApiException refused(String breaker, long wanted, long limit) {
    return new ApiException(
        ErrorBody.of(
                429,
                "circuit_breaking_exception",
                "["
                    + breaker
                    + "] Data too large, data for [aggregations] would be ["
                    + wanted
                    + "/"
                    + text(wanted)
                    + "], which is larger than the limit of ["
                    + limit
                    + "/"
                    + text(limit)
                    + "]")
            .with("bytes_wanted", wanted)
            .with("bytes_limit", limit)
            .with("durability", "TRANSIENT"));
  }

  /** As {@code _nodes/stats} shows it. */
  public Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("request", figures(requestLimitBytes.getAsLong(), requestTripped.get()));
    all.put("parent", figures(totalLimitBytes.getAsLong(), totalTripped.get()));
    return all;
  }

  private Map<String, Object> figures(long limit, long tripped) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("limit_size_in_bytes", limit);
    one.put("limit_size", text(limit));
    one.put("estimated_size_in_bytes", used.get());
    one.put("estimated_size", text(used.get()));
    one.put("overhead", 1.0);
    one.put("tripped", tripped);
    return one;
  }

  private static String text(long bytes) {
    String[] units = {"b", "kb", "mb", "gb", "tb", "pb"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        value == Math.rint(value)
            ? Long.toString((long) value)
            : String.format(Locale.ROOT, "%.1f", value);
    return number + units[unit];
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
        long step = Math.max(STEP_BYTES, next - taken);
        take(step);
        taken += step;
      }
      charged = next;
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        used.addAndGet(-taken);
      }
    }
  }
}
