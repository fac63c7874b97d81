package io.varve.selection;

import java.util.Locale;

/**
 * The rank of a node, lower is better, in milliseconds: R response time, S service time, q̂ = 1 +
 * outstanding · nodes + ⌊queue⌋. {@code cluster.routing.replica_selection.formula}.
 *
 * <p>Sources: Suresh et al., C3, NSDI 2015; Elasticsearch and OpenSearch as released.
 */
public enum Formula {
  /** R − 1/S + q̂³/S, as printed with S for the service rate: OpenSearch, Elasticsearch ≤ 7.12. */
  PUBLISHED {
    @Override
    double rank(double responseMillis, double serviceMillis, double cubedQueue) {
      return responseMillis - 1 / serviceMillis + cubedQueue / serviceMillis;
    }
  },
  /** R − S + q̂³ · S, the paper's: Elasticsearch 7.13 to 9.4. */
  C3 {
    @Override
    double rank(double responseMillis, double serviceMillis, double cubedQueue) {
      return responseMillis - serviceMillis + cubedQueue * serviceMillis;
    }
  },
  /** q̂³ · S: Elasticsearch 9.5. */
  ES95 {
    @Override
    double rank(double responseMillis, double serviceMillis, double cubedQueue) {
      return cubedQueue * serviceMillis;
    }
  };

  private static final double NANOS_PER_MILLI = 1_000_000;

  abstract double rank(double responseMillis, double serviceMillis, double cubedQueue);

  /**
   * The rank of a node.
   *
   * @param queue smoothed queue length, used as a whole number
   * @param outstanding own requests to the node
   * @param nodes number of nodes of which the coordinator has statistics
   */
  public double rank(
      double responseNanos, double serviceNanos, double queue, long outstanding, int nodes) {
    double estimatedQueue = 1 + (double) (outstanding * nodes) + (int) queue;
    return rank(
        responseNanos / NANOS_PER_MILLI,
        serviceNanos / NANOS_PER_MILLI,
        Math.pow(estimatedQueue, 3));
  }

  public String settingName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException if no formula has this name
   */
  public static Formula of(String settingName) {
    return SettingNames.find(values(), Formula::settingName, settingName);
  }
}
