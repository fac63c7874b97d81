package io.varve.selection;

/**
 * The statistics behind {@link Formula}: queue length and response time smoothed with α 0.3,
 * service time as last reported. The first answer initializes both averages.
 *
 * <p>After each ranking every loser is moved 15 % towards the winner (according to Elasticsearch's
 * javadoc, so that it gets requests again without answering one first); with the published formula,
 * its service time is moved half of the way. Not thread-safe.
 */
final class PublishedStats {

  private static final double ALPHA = 0.3;

  private Ewma queue = new Ewma(ALPHA, 0);
  private Ewma responseNanos = new Ewma(ALPHA, 0);
  private double serviceNanos;
  private boolean known;

  /** The statistics of a node in one ranking. */
  record Seen(int queueSize, double responseNanos, double serviceNanos) {

    double rank(Formula formula, long outstanding, int nodes) {
      return formula.rank(responseNanos, serviceNanos, queueSize, outstanding, nodes);
    }
  }

  void add(int queueSize, double tookNanos, double serviceTimeNanos) {
    if (known) {
      queue.add(queueSize);
      responseNanos.add(tookNanos);
    } else {
      known = true;
      queue = new Ewma(ALPHA, queueSize);
      responseNanos = new Ewma(ALPHA, tookNanos);
    }
    serviceNanos = serviceTimeNanos;
  }

  /**
   * Moves this loser's statistics towards the winner's, with integer arithmetic where the original
   * uses it.
   */
  void adjust(Seen winner, Seen loser, Formula formula) {
    double midService = (winner.serviceNanos + loser.serviceNanos) / 2;
    double service =
        formula == Formula.PUBLISHED
            ? midService
            : ALPHA * midService + (1 - ALPHA) * loser.serviceNanos;
    add(
        (winner.queueSize + loser.queueSize) / 2,
        Math.floor(Math.floor(winner.responseNanos + loser.responseNanos) / 2),
        service);
  }

  boolean known() {
    return known;
  }

  Seen seen() {
    return new Seen((int) queue.average(), responseNanos.average(), serviceNanos);
  }

  double queueAverage() {
    return queue.average();
  }
}
