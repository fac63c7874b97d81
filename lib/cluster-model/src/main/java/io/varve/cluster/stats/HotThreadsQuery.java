package io.varve.cluster.stats;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a hot threads request.
 *
 * @param threads maximum number of threads, 1 to 1000
 * @param intervalMillis duration of the sampling, 1 to 60000
 * @param snapshots number of stack samples in that time, 1 to 100
 * @param ignoreIdle whether threads that only wait for work are omitted
 */
public record HotThreadsQuery(
    int threads, long intervalMillis, int snapshots, Kind kind, boolean ignoreIdle) {

  /** The criterion for hot threads. */
  public enum Kind {
    /** CPU time. */
    CPU,
    /** Waiting for a condition or parked. */
    WAIT,
    /** Waiting for a monitor. */
    BLOCK;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Kind> named(String name) {
      return Arrays.stream(values()).filter(kind -> kind.toString().equals(name)).findFirst();
    }
  }

  public HotThreadsQuery {
    requireBetween("threads", threads, 1_000);
    requireBetween("interval", intervalMillis, 60_000);
    requireBetween("snapshots", snapshots, 100);
  }

  private static void requireBetween(String name, long value, long most) {
    if (value < 1 || value > most) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[" + name + "] must be between 1 and " + most + ", was [" + value + "]"));
    }
  }

  /** The form that {@link #of} parses. */
  public String toParameters() {
    return "threads="
        + threads
        + "&interval_millis="
        + intervalMillis
        + "&snapshots="
        + snapshots
        + "&type="
        + kind
        + "&ignore_idle_threads="
        + ignoreIdle;
  }

  public static HotThreadsQuery of(Function<String, @Nullable String> parameters) {
    try {
      return new HotThreadsQuery(
          Integer.parseInt(required(parameters, "threads")),
          Long.parseLong(required(parameters, "interval_millis")),
          Integer.parseInt(required(parameters, "snapshots")),
          kind(required(parameters, "type")),
          Boolean.parseBoolean(required(parameters, "ignore_idle_threads")));
    } catch (NumberFormatException e) {
      throw new ApiException(ErrorBody.illegalArgument("not a number: " + e.getMessage()));
    }
  }

  /**
   * @throws ApiException 400 if it is invalid
   */
  public static Kind kind(String name) {
    return Kind.named(name)
        .orElseThrow(
            () -> new ApiException(ErrorBody.illegalArgument("type not supported [" + name + "]")));
  }

  private static String required(Function<String, @Nullable String> parameters, String name) {
    String value = parameters.apply(name);
    if (value == null) {
      throw new ApiException(ErrorBody.illegalArgument("parameter [" + name + "] is required"));
    }
    return value;
  }
}
