package io.varve.selection;

/**
 * What a node says of its search executor, on each answer to a shard request and to a probe.
 * Whatever a node doesn't say is negative.
 *
 * @param queueSize requests that wait for a worker
 * @param running requests that a worker executes now
 * @param workers how many run at once
 * @param serviceTimeEwmaNanos smoothed execution time of all requests, α 0.1, as Elasticsearch and
 *     OpenSearch report it
 * @param slowness the robust estimate behind {@link Slowness}
 */
public record NodeReport(
    int queueSize, int running, int workers, long serviceTimeEwmaNanos, Slowness slowness) {

  /** Of a node that says nothing. */
  public static final NodeReport NONE = new NodeReport(-1, -1, -1, -1, Slowness.UNKNOWN);

  /** How many requests are on the node, −1 if it doesn't say. */
  public int inFlight() {
    return queueSize < 0 || running < 0 ? -1 : queueSize + running;
  }

  /** Whether the published formulas can use it. */
  public boolean ranksByFormula() {
    return serviceTimeEwmaNanos > 0 && queueSize >= 0;
  }

  /**
   * How much longer than expected requests take on the node.
   *
   * @param factor execution time by expected time; 1 is a node like the others, negative unknown
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
