package io.varve.load;

import io.varve.load.SelectionRun.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Prints the results of {@link SelectionBench} as a table. */
record SelectionReport(SelectionBench.Settings settings, int nodes) {

  private static final List<String> COLUMNS =
      List.of(
          "illness",
          "server",
          "strategy",
          "searches/s",
          "p50 ms",
          "p90 ms",
          "p99 ms",
          "searches/s to healthy",
          "p50",
          "p90",
          "p99",
          "impaired node's share %",
          "extra %",
          "failed per search",
          "recovered after s",
          "errors");

  /**
   * Prints rates and results.
   *
   * @param rates the throughput, keyed by server
   * @param results the results, keyed by {@code case server strategy}
   */
  void print(Map<String, Double> rates, Map<String, List<Result>> results) {
    System.out.printf(
        "%d data nodes, %d shards of 2 copies, %d %% load (%s), %d s per measurement, median of %d%n",
        nodes,
        nodes,
        settings.loadPercent(),
        settings.loop().name().toLowerCase(Locale.ROOT),
        settings.seconds(),
        settings.runs());
    rates.forEach((server, rate) ->
        System.out.printf(
            Locale.ROOT,
            "%s: %.0f searches/s without pauses, %d clients%n",
            server,
            rate,
            settings.clients()));
    CopiesBench.head(COLUMNS);
    results.forEach((key, runs) -> row(key, runs, results));
  }

  private void row(String key, List<Result> runs, Map<String, List<Result>> results) {
    String[] names = key.split(" ");
    SelectionCase selectionCase = SelectionCase.of(names[0]);
    String base = names[1].equals("peer") ? "off" : settings.strategies().getFirst();
    List<Result> healthy =
        results.get(selectionCase.healthy().text() + " " + names[1] + " " + base);
    CopiesBench.row(
        names[0],
        names[1],
        names[2],
        RunStats.median(runs, Result::searchesPerSecond),
        RunStats.median(runs, Result::p50Millis),
        RunStats.median(runs, Result::p90Millis),
        RunStats.median(runs, Result::p99Millis),
        RunStats.pairedRatio(runs, healthy, Result::searchesPerSecond),
        RunStats.pairedRatio(runs, healthy, Result::p50Millis),
        RunStats.pairedRatio(runs, healthy, Result::p90Millis),
        RunStats.pairedRatio(runs, healthy, Result::p99Millis),
        median(runs, result -> result.spent().victimPercent()),
        median(runs, result -> result.spent().extraPercent()),
        median(runs, result -> result.failuresPerSearch(nodes)),
        selectionCase == SelectionCase.RECOVERY ? median(runs, Result::backSeconds) : "",
        (int) runs.stream().mapToDouble(Result::errors).sum());
  }

  private static String median(List<Result> runs, ToDoubleFunction<Result> value) {
    double median = RunStats.median(runs, value);
    return Double.isNaN(median) ? "" : String.format(Locale.ROOT, "%.2f", median);
  }
}
