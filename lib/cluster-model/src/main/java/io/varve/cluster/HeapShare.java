package io.varve.cluster;

import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Parses settings for memory: a size such as {@code 512mb}, or a share of the heap such as {@code
 * 60%}.
 */
public final class HeapShare {

  private static final long RESERVE_BYTES = 128L << 20;
  private static final int RESERVE_SHARE = 4;

  private HeapShare() {}

  /**
   * The size that a setting specifies; unlimited for {@code -1}.
   *
   * @param name of a setting with a default
   */
  public static long bytes(ClusterState state, String name) {
    return bytes(ClusterSettings.value(state, name), Runtime.getRuntime().maxMemory());
  }

  /**
   * The limit of the parent breaker. If it applies to the heap in use, it leaves {@value
   * #RESERVE_BYTES} bytes, or a quarter of a small heap, free for allocations between two checks
   * and for the garbage collector, whose survivor spaces can't be used by the application.
   */
  public static long total(ClusterState state) {
    return total(
        bytes(state, ClusterSettings.TOTAL_BREAKER),
        ClusterSettings.flag(state, ClusterSettings.TOTAL_BREAKER_REAL),
        Runtime.getRuntime().maxMemory());
  }

  /** A size that follows the state of the cluster and is computed once for each state. */
  public static LongSupplier following(
      Supplier<ClusterState> state, ToLongFunction<ClusterState> size) {
    return new Following(state, size);
  }

  private static final class Following implements LongSupplier {

    private record Known(ClusterState state, long bytes) {}

    private final Supplier<ClusterState> state;
    private final ToLongFunction<ClusterState> size;
    private volatile @Nullable Known known;

    Following(Supplier<ClusterState> state, ToLongFunction<ClusterState> size) {
      this.state = state;
      this.size = size;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // states are immutable
    public long getAsLong() {
      ClusterState now = state.get();
      Known newest = known;
      if (newest == null || newest.state != now) {
        newest = new Known(now, size.applyAsLong(now));
        known = newest;
      }
      return newest.bytes;
    }
  }

  static long total(long limitBytes, boolean real, long heapBytes) {
    return real && limitBytes < Long.MAX_VALUE
        ? Math.min(limitBytes, heapBytes - Math.min(RESERVE_BYTES, heapBytes / RESERVE_SHARE))
        : limitBytes;
  }

  static long bytes(@Nullable String text, long heapBytes) {
    if (text == null || text.strip().equals("-1")) {
      return Long.MAX_VALUE;
    }
    String lower = text.strip().toLowerCase(Locale.ROOT);
    int unit = 0;
    while (unit < lower.length() && "0123456789.".indexOf(lower.charAt(unit)) >= 0) {
      unit++;
    }
    double count = Double.parseDouble(lower.substring(0, unit));
    double factor =
        switch (lower.substring(unit)) {
          case "%" -> heapBytes / 100.0;
          case "k", "kb" -> 1L << 10;
          case "m", "mb" -> 1L << 20;
          case "g", "gb" -> 1L << 30;
          case "t", "tb" -> 1L << 40;
          case "p", "pb" -> 1L << 50;
          default -> 1;
        };
    return (long) (count * factor);
  }
}
