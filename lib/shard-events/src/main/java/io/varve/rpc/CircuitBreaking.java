package io.varve.rpc;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The error of a circuit breaker, and its entry in node statistics. */
public final class CircuitBreaking {

  private CircuitBreaking() {}

  /**
   * The rejection, with status 429.
   *
   * @param breaker the rejecting breaker
   * @param label purpose of the memory
   * @param passing whether the memory is released when running requests end
   */
  public static ApiException refused(
      String breaker, String label, long wantedBytes, long limitBytes, boolean passing) {
    String reason =
        "["
            + breaker
            + "] Data too large, data for ["
            + label
            + "] would be ["
            + wantedBytes
            + "/"
            + text(wantedBytes)
            + "], which is larger than the limit of ["
            + limitBytes
            + "/"
            + text(limitBytes)
            + "]";
    return new ApiException(
        ErrorBody.of(429, "circuit_breaking_exception", reason)
            .with("bytes_wanted", wantedBytes)
            .with("bytes_limit", limitBytes)
            .with("durability", passing ? "TRANSIENT" : "PERMANENT"));
  }

  /**
   * The breaker's entry in {@code _nodes/stats}.
   *
   * @param overhead factor by which estimates are multiplied
   */
  public static Map<String, Object> stats(
      long limitBytes, long usedBytes, double overhead, long tripped) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("limit_size_in_bytes", limitBytes);
    one.put("limit_size", text(limitBytes));
    one.put("estimated_size_in_bytes", usedBytes);
    one.put("estimated_size", text(usedBytes));
    one.put("overhead", overhead);
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
}
