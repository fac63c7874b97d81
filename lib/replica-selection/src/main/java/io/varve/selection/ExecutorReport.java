package io.varve.selection;

/**
 * A node's report on its search executor, sent with each answer to a shard request or a probe.
 * Values that a node does not report are negative.
 *
 * @param queueSize requests waiting for a worker
 * @param running requests being executed
 * @param workers maximum concurrent requests
 * @param serviceTimeEwmaNanos smoothed execution time of all requests, α 0.1, as reported by
 *     Elasticsearch and OpenSearch
 * @param slowness the robust estimate, see {@link Slowness}
 */
public record ExecutorReport(
    int queueSize, int running, int workers, long serviceTimeEwmaNanos, Slowness slowness) {

  /** The report of a node that sends none. */
  public static final ExecutorReport NONE = new ExecutorReport(-1, -1, -1, -1, Slowness.UNKNOWN);

  /** The number of requests on the node, −1 if unknown. */
  public int inFlight() {
    return queueSize < 0 || running < 0 ? -1 : queueSize + running;
  }

  /** Whether the published formulas can use this report. */
  public boolean ranksByFormula() {
    return serviceTimeEwmaNanos > 0 && queueSize >= 0;
  }

  /**
   * Execution time relative to the expected time.
   *
   * @param factor 1 for an average node, negative if unknown
   * @param trust samples since the node started or was last idle
   * @param ageNanos time since the last sample
   */
  public record Slowness(double factor, int trust, long ageNanos) {

    public static final Slowness UNKNOWN = new Slowness(-1, 0, Long.MAX_VALUE);

    public boolean known() {
      return factor > 0;
    }
  }
}
