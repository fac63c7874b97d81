package io.varve.shard.remote;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether a shard rejects writes because its uploads to the segment store lag too far.
 *
 * <ul>
 *   <li>More consecutive uploads than the limit have failed.
 *   <li>The bytes that the store lacks exceed a multiple of the bytes of an average upload, or its
 *       lag exceeds a multiple of the duration of one. This rule applies only if the store is more
 *       than one manifest behind and averages exist. Small lags are accepted, because the log has
 *       the operations that the store lacks, and a shard with little traffic has a small average.
 * </ul>
 */
final class StorePressure {

  /** The bytes that the store may always lack. */
  static final double LEAST_BYTES = 128 << 20;

  /** The lag in milliseconds that is always accepted. */
  static final double LEAST_MILLIS = 30_000;

  /** The limits in the cluster settings. */
  record Limits(
      boolean enabled, int failures, double bytesFactor, double millisFactor, int window) {

    static Limits of(ClusterState state) {
      return new Limits(
          Boolean.parseBoolean(value(state, ClusterSettings.STORE_PRESSURE_ENABLED)),
          Integer.parseInt(value(state, ClusterSettings.STORE_PRESSURE_FAILURES)),
          Double.parseDouble(value(state, ClusterSettings.STORE_PRESSURE_BYTES)),
          Double.parseDouble(value(state, ClusterSettings.STORE_PRESSURE_TIME)),
          window(state));
    }

    static int window(ClusterState state) {
      return Integer.parseInt(value(state, ClusterSettings.STORE_WINDOW));
    }

    private static String value(ClusterState state, String name) {
      return String.valueOf(ClusterSettings.value(state, name));
    }
  }

  /**
   * The lag of the store.
   *
   * @param manifests number of manifests that are published and not stored
   * @param failuresInARow number of failed uploads since the last successful one
   * @param averageBytes average size of an upload, 0 while there is no average
   * @param averageMillis average time from the start of an upload to the start of the next, 0 while
   *     there is no average
   */
  record Lag(
      long manifests,
      long bytes,
      long millis,
      int failuresInARow,
      double averageBytes,
      double averageMillis) {}

  private StorePressure() {}

  /**
   * The reason for which writes are rejected, in OpenSearch's words; {@code shard} is the shard's
   * name in the text.
   */
  static Optional<String> refusal(String shard, Lag lag, Limits limits) {
    if (!limits.enabled() || lag.manifests() == 0) {
      return Optional.empty();
    }
    if (lag.failuresInARow() > limits.failures()) {
      return reason(
          shard,
          "failure_streak_count:%s min_consecutive_failure_threshold:%s",
          lag.failuresInARow(),
          limits.failures());
    }
    if (lag.manifests() < 2) {
      return Optional.empty();
    }
    double bytes = Math.max(LEAST_BYTES, lag.averageBytes() * limits.bytesFactor());
    if (lag.averageBytes() > 0 && lag.bytes() > bytes) {
      return reason(shard, "bytes_lag:%s dynamic_bytes_lag_threshold:%s", lag.bytes(), bytes);
    }
    double millis = Math.max(LEAST_MILLIS, lag.averageMillis() * limits.millisFactor());
    return lag.averageMillis() > 0 && lag.millis() > millis
        ? reason(shard, "time_lag:%s ms dynamic_time_lag_threshold:%s ms", lag.millis(), millis)
        : Optional.empty();
  }

  private static Optional<String> reason(String shard, String what, Object lag, Object limit) {
    return Optional.of(
        "rejected execution on primary shard:"
            + shard
            + " due to remote segments lagging behind local segments."
            + String.format(Locale.ROOT, what, lag, limit));
  }
}
