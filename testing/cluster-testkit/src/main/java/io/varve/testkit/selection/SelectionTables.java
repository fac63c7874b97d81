package io.varve.testkit.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The tables of the documentation: every strategy in every situation, as Markdown. */
public final class SelectionTables {

  private static final List<Situation> IN_FULL =
      List.of(
          Situation.healthy(),
          Situation.healthy().saturated(),
          Situation.slow(2.33).saturated(),
          Situation.slow(4),
          Situation.slow(13.5),
          Situation.slow(13.5).saturated());

  private static final List<Situation> IN_SHORT =
      List.of(
          Situation.slow(4).withCoordinators(5),
          Situation.slow(4).withCoordinators(25),
          Situation.slow(4).heavyTailed(),
          Situation.slow(4).light(),
          Situation.bursts(),
          Situation.pauses(),
          Situation.stutter(),
          Situation.stutter().saturated());

  private static final List<Situation> CHANGES =
      List.of(
          Situation.onset(),
          Situation.recovery(),
          Situation.coldStart(),
          Situation.stop(),
          Situation.failing());

  private final int seeds;

  public SelectionTables(int seeds) {
    this.seeds = seeds;
  }

  public String markdown() {
    List<String> parts = new ArrayList<>();
    IN_FULL.forEach(situation -> parts.add(inFull(situation)));
    parts.add(
        "### Other situations: p99 / p99.9 in ms (searches per second)\n\n"
            + byContestant(IN_SHORT, SelectionTables::tail));
    parts.add(
        "### While something changes: p99 / p99.9 in ms, failed first requests per search\n\n"
            + byContestant(CHANGES, SelectionTables::change));
    parts.add(fewWorkers());
    return String.join("\n", parts);
  }

  private String inFull(Situation situation) {
    StringBuilder table = new StringBuilder("### " + title(situation) + "\n\n");
    row(table, "strategy", "q/s", "p50", "p90", "p99", "p99.9", "share of node 2", "extra work");
    row(table, "---", "---", "---", "---", "---", "---", "---", "---");
    for (NamedStrategy strategy : NamedStrategy.values()) {
      StrategyResults stats = strategy.in(situation, seeds);
      StrategyResults.Latency latency = stats.latency();
      row(
          table,
          strategy.title(),
          format("%.1f", stats.searchesPerSecond()),
          format("%.0f", latency.p50()),
          format("%.0f", latency.p90()),
          format("%.0f", latency.p99()),
          format("%.0f", latency.p999()),
          format("%.1f %%", 100 * stats.shareOfSick()),
          format("%.1f %%", 100 * extraWork(stats)));
    }
    return table.toString();
  }

  private String byContestant(List<Situation> situations, Function<StrategyResults, String> cell) {
    StringBuilder table = new StringBuilder();
    List<String> head = new ArrayList<>(List.of("strategy"));
    List<String> line = new ArrayList<>(List.of("---"));
    for (Situation situation : situations) {
      head.add(title(situation));
      line.add("---");
    }
    row(table, head.toArray(String[]::new));
    row(table, line.toArray(String[]::new));
    for (NamedStrategy strategy : NamedStrategy.values()) {
      List<String> cells = new ArrayList<>(List.of(strategy.title()));
      situations.forEach(situation -> cells.add(cell.apply(strategy.in(situation, seeds))));
      row(table, cells.toArray(String[]::new));
    }
    return table.toString();
  }

  /** Compares with an upper bound: the cluster without the impaired node. */
  private String fewWorkers() {
    StringBuilder table =
        new StringBuilder(
            "### Nodes with few workers: q/s, p50, p90, p99 as ratios to the healthy cluster\n\n");
    row(table, "workers", "node 2", "adaptive", "ars, c3", "node 2 gone");
    row(table, "---", "---", "---", "---", "---");
    for (int workers : new int[] {2, 4, 8, 16}) {
      StrategyResults healthy = NamedStrategy.C3.in(Situation.healthy().small(workers), seeds);
      Situation gone = Situation.sick("gone", Condition.coldStart(10_000_000, 1, 1));
      String bound =
          ratios(NamedStrategy.ADAPTIVE_UNHEDGED.in(gone.small(workers), seeds), healthy);
      for (Situation sick : List.of(Situation.slow(4), Situation.slow(13.5), Situation.stutter())) {
        Situation small = sick.small(workers);
        row(
            table,
            Integer.toString(workers),
            title(sick),
            ratios(NamedStrategy.ADAPTIVE.in(small, seeds), healthy),
            ratios(NamedStrategy.C3.in(small, seeds), healthy),
            bound);
      }
    }
    return table.toString();
  }

  private static String ratios(StrategyResults stats, StrategyResults healthy) {
    return format("%.2f", stats.searchesPerSecond() / healthy.searchesPerSecond())
        + format(", %.2f", stats.latency().p50() / healthy.latency().p50())
        + format(", %.2f", stats.latency().p90() / healthy.latency().p90())
        + format(", %.2f", stats.latency().p99() / healthy.latency().p99());
  }

  private static String tail(StrategyResults stats) {
    return format("%.0f / ", stats.latency().p99())
        + format("%.0f ", stats.latency().p999())
        + format("(%.1f)", stats.searchesPerSecond());
  }

  private static String change(StrategyResults stats) {
    return format("%.0f / ", stats.latency().p99())
        + format("%.0f", stats.latency().p999())
        + format(", %.3f", stats.extra().failedFirsts());
  }

  private static double extraWork(StrategyResults stats) {
    return stats.extra().hedges() + stats.extra().shadows();
  }

  private static String title(Situation situation) {
    return situation.name().substring(0, 1).toUpperCase(Locale.ROOT)
        + situation.name().substring(1);
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }

  private static void row(StringBuilder table, String... cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
