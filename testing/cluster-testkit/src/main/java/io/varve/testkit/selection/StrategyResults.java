package io.varve.testkit.selection;

import io.varve.selection.Purpose;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Results of one strategy in one situation, over several seeds.
 *
 * @param searchesPerSecond searches answered in the window
 * @param latency of the searches that started in the window, in milliseconds
 * @param shareOfSick requests to node 2, per request
 * @param extra work beyond one request per shard
 */
public record StrategyResults(
    double searchesPerSecond, Latency latency, double shareOfSick, Extra extra) {

  public record Latency(double p50, double p90, double p99, double p999) {
    static Latency of(double[] millis) {
      double[] sorted = millis.clone();
      Arrays.sort(sorted);
      return new Latency(at(sorted, .5), at(sorted, .9), at(sorted, .99), at(sorted, .999));
    }

    private static double at(double[] sorted, double quantile) {
      if (sorted.length == 0) {
        return Double.NaN;
      }
      return sorted[(int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
    }
  }

  /**
   * Additional requests.
   *
   * @param hedges per first request
   * @param shadows per first request
   * @param duplicates second executions that completed, per first request
   * @param probes per search
   * @param failedFirsts first requests that failed, per search
   */
  public record Extra(
      double hedges, double shadows, double duplicates, double probes, double failedFirsts) {}

  /** A time span of a run. */
  public record Window(long fromMillis, long untilMillis) {
    double seconds() {
      return (untilMillis - fromMillis) / 1000.0;
    }
  }

  /** Combines several runs. */
  public static StrategyResults of(List<Trace> runs, Window window) {
    long from = window.fromMillis;
    long until = window.untilMillis;
    List<double[]> begun = new ArrayList<>();
    double ended = 0;
    double firsts = 0;
    double[] extra = new double[4];
    double failed = 0;
    double share = 0;
    for (Trace run : runs) {
      begun.add(run.latenciesOfBegun(from, until));
      ended += run.latenciesOfEnded(from, until).length;
      firsts += run.sent(Purpose.FIRST, from, until);
      extra[0] += run.sent(Purpose.HEDGE, from, until);
      extra[1] += run.sent(Purpose.SHADOW, from, until);
      extra[2] += run.duplicates(from, until);
      extra[3] += run.probes(from, until);
      failed += run.failedFirstAttempts(from, until);
      share += run.share("n2", from, until) / runs.size();
    }
    double[] millis = begun.stream().flatMapToDouble(Arrays::stream).toArray();
    double searches = Math.max(1, millis.length);
    return new StrategyResults(
        ended / runs.size() / window.seconds(),
        Latency.of(millis),
        share,
        new Extra(
            extra[0] / firsts,
            extra[1] / firsts,
            extra[2] / firsts,
            extra[3] / searches,
            failed / searches));
  }
}
