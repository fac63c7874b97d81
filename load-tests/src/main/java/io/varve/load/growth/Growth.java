package io.varve.load.growth;

/**
 * The maximum growth of a cost with the size of a cluster.
 *
 * <p>The exponent of growth is the slope of a line through the logarithms of sizes and costs: 0 for
 * a constant cost, 1 for one that is proportional to the size. A limit leaves room for logarithms,
 * caches and noise.
 */
enum Growth {
  /** The cost per event, record, name or search of a fixed number of shards. */
  CONSTANT(0.35),
  /** The cost of a pass over all copies, or of all data that is stored or sent. */
  LINEAR(1.15);

  private final double limit;

  Growth(double limit) {
    this.limit = limit;
  }

  boolean isExceededBy(double exponent) {
    return exponent > limit;
  }

  /**
   * The slope of the least-squares line through the points; not a number for fewer than two.
   *
   * @param costs the costs of the first sizes
   */
  static double exponent(double[] sizes, double[] costs) {
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < costs.length; i++) {
      meanX += Math.log(sizes[i]) / costs.length;
      meanY += Math.log(costs[i]) / costs.length;
    }
    double products = 0;
    double squares = 0;
    for (int i = 0; i < costs.length; i++) {
      double x = Math.log(sizes[i]) - meanX;
      products += x * (Math.log(costs[i]) - meanY);
      squares += x * x;
    }
    return products / squares;
  }
}
