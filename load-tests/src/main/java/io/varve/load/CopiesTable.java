package io.varve.load;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The table of {@link SourceTables#SEGREP} for this build: sizes of the load, primaries, and
 * replicas of both kinds, with the distribution of throughput, CPU and memory over intervals and
 * nodes. Percentages compare SEGMENT with DOCUMENT.
 */
final class CopiesTable {

  private static final List<String> KINDS = List.of("DOCUMENT", "SEGMENT");

  /** The size of a load, and the copies of its index. */
  record Case(int documents, int primaries, int replicas) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d documents, primaries: %d, replicas of each: %d",
          documents,
          primaries,
          replicas);
    }
  }

  /** A row of the table: a figure of all counted runs. */
  private record Figure(String name, ToDoubleFunction<CopiesLoad.Runs> value) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("store size, MB", CopiesLoad.Runs::storeMegabytes),
          new Figure("documents/s, minimum", runs -> runs.documentsPerSecond(0)),
          new Figure("p10", runs -> runs.documentsPerSecond(0.1)),
          new Figure("median", runs -> runs.documentsPerSecond(0.5)),
          new Figure("p90", runs -> runs.documentsPerSecond(0.9)),
          new Figure("maximum", runs -> runs.documentsPerSecond(1)),
          new Figure("CPU of a node, % of one processor, p50", runs -> runs.cpuPercent(0.5)),
          new Figure("p90", runs -> runs.cpuPercent(0.9)),
          new Figure("p99", runs -> runs.cpuPercent(0.99)),
          new Figure("p100", runs -> runs.cpuPercent(1)),
          new Figure("memory of a node, MB, p50", runs -> runs.residentMegabytes(0.5)),
          new Figure("p90", runs -> runs.residentMegabytes(0.9)),
          new Figure("p99", runs -> runs.residentMegabytes(0.99)),
          new Figure("p100", runs -> runs.residentMegabytes(1)),
          new Figure("error rate, %", CopiesLoad.Runs::errorPercent));

  private final BenchOptions options;
  private final List<Integer> sizes;
  private final List<Integer> primaries;
  private final List<Integer> replicas;

  /**
   * @param sizes documents per run
   * @param replicas of each primary
   */
  CopiesTable(
      BenchOptions options, List<Integer> sizes, List<Integer> primaries, List<Integer> replicas) {
    this.options = options;
    this.sizes = List.copyOf(sizes);
    this.primaries = List.copyOf(primaries);
    this.replicas = List.copyOf(replicas);
  }

  /** Each number of replicas has its own cluster, with a node for each copy of a shard. */
  void run() throws IOException, InterruptedException {
    for (int count : replicas) {
      try (Servers servers = Servers.of(options, 1, count, "always")) {
        for (MeasuredServer server : servers.all()) {
          for (int documents : sizes) {
            for (int shards : primaries) {
              measure(server, new Case(documents, shards, count));
            }
          }
        }
      }
    }
  }

  private void measure(MeasuredServer server, Case loaded) throws IOException {
    CopiesLoad load = new CopiesLoad(server, loaded, options.clients());
    Map<String, CopiesLoad.Runs> results = new LinkedHashMap<>();
    KINDS.forEach(kind -> results.put(kind, new CopiesLoad.Runs()));
    for (int round = 0; round < options.warmUp() + options.runs(); round++) {
      for (String kind : KINDS) {
        load.run(kind, round < options.warmUp() ? new CopiesLoad.Runs() : results.get(kind));
        System.err.printf(Locale.ROOT, "%s %s %s run %d%n", server.name(), loaded, kind, round);
      }
    }
    System.out.printf("%n%s, %s%n", server.name(), loaded);
    CopiesBench.head(List.of("", "DOCUMENT", "SEGMENT", "%"));
    rows(results.get("DOCUMENT"), results.get("SEGMENT"))
        .forEach(cells -> CopiesBench.row(cells.toArray()));
  }

  static List<List<Object>> rows(CopiesLoad.Runs document, CopiesLoad.Runs segment) {
    return FIGURES.stream()
        .map(figure ->
            row(
                figure.name(),
                figure.value().applyAsDouble(document),
                figure.value().applyAsDouble(segment)))
        .toList();
  }

  private static List<Object> row(String name, double document, double segment) {
    String change =
        document == 0
            ? ""
            : String.format(Locale.ROOT, "%.2f", (segment - document) / document * 100);
    return List.of(name, document, segment, change);
  }
}
