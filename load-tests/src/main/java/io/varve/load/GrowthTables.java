package io.varve.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The results of one part of {@code bench growth machine} as Markdown. Costs and times are medians;
 * ratios are those of each round to the same round of the smallest size.
 *
 * @param what is counted, for example {@code shards}
 */
record GrowthTables(String what, GrowthResults results) {

  private static final String RATIO = "to the smallest (range)";

  String markdown() {
    return results.weights().isEmpty() ? costs() : costs() + "\n" + weights();
  }

  private String costs() {
    boolean created = !results.weights().isEmpty();
    List<String> head = new ArrayList<>(List.of(what, "CPU s/100k", RATIO));
    head.addAll(results.kinds());
    head.add("docs/s");
    if (created) {
      head.addAll(List.of("creation applied, ms", "green after, ms"));
    }
    StringBuilder table = head(head);
    results
        .rounds()
        .forEach((size, rounds) -> {
          List<String> cells = new ArrayList<>();
          cells.add(Integer.toString(size));
          cells.add(median(rounds, 2, round -> round.costs().totalPer100k()));
          cells.add(
              RunStats.pairedRatio(
                  rounds, results.smallest(), round -> round.costs().totalPer100k()));
          results
              .kinds()
              .forEach(kind -> cells.add(median(rounds, 2, round -> round.costs().per100k(kind))));
          cells.add(median(rounds, 0, round -> round.costs().documentsPerSecond()));
          if (created) {
            cells.add(median(rounds, 0, round -> round.created().appliedMillis()));
            cells.add(median(rounds, 0, round -> round.created().greenMillis()));
          }
          row(table, cells);
        });
    return table.toString();
  }

  private String weights() {
    List<String> head = new ArrayList<>(List.of(what));
    results.weighedKinds().forEach(kind -> head.add("heap of " + kind + ", MB"));
    head.addAll(List.of("RSS, MB", "threads", "idle, % of a core", "of it compilers", "state, ms"));
    StringBuilder table = head(head);
    results
        .weights()
        .forEach((size, weight) -> {
          List<String> cells = new ArrayList<>();
          cells.add(Integer.toString(size));
          results
              .weighedKinds()
              .forEach(kind -> cells.add(text(0, weight.of(kind).heapMegabytes())));
          cells.add(text(0, weight.sum(Weight.OfProcesses::residentMegabytes)));
          cells.add(text(0, weight.sum(Weight.OfProcesses::threads)));
          cells.add(text(1, 100 * weight.sum(Weight.OfProcesses::idleSeconds)));
          cells.add(text(1, 100 * weight.sum(Weight.OfProcesses::compilerSeconds)));
          cells.add(text(1, weight.stateMillis()));
          row(table, cells);
        });
    return table.toString();
  }

  private static StringBuilder head(List<String> names) {
    StringBuilder table = new StringBuilder();
    row(table, names);
    return table.append('|').append("---|".repeat(names.size())).append('\n');
  }

  private static void row(StringBuilder table, List<String> cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String median(
      List<GrowthResults.Round> rounds, int decimals, ToDoubleFunction<GrowthResults.Round> value) {
    return text(decimals, RunStats.median(rounds, value));
  }

  private static String text(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
