package io.varve.rpc;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How a breaker of memory refuses, and how a node's report shows it. */
public final class CircuitBreaking {

  private CircuitBreaking() {}

  /**
   * The refusal, status 429.
   *
   * @param breaker by which it is refused
   * @param label what the memory is for
   * @param passing the memory is given back when what runs now has ended
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
   * A breaker as {@code _nodes/stats} shows it.
   *
   * @param overhead by which the bytes were multiplied
   */
  public static Map<String, Object> figures(
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
