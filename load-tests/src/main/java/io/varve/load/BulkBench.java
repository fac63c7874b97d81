package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code bench bulk}: loads with a segment replica, a document replica and without one, and single
 * writes.
 *
 * <pre>
 *   --shape taxis|logs        (taxis)       --documents N   (100000)    --bulk N    (1000)
 *   --clients N               (4)           --runs N        (3)         --refresh T (1s)
 *   --warm-up N               (3)
 *   --codecs a,b              without a replica, by each codec; ratios are to the first one
 * </pre>
 */
final class BulkBench {

  private static final int SINGLE_WARM_UP = 500;
  private static final int SINGLE_WRITES = 2000;

  private final Options options;
  private final String codecs;
  private final List<Copies> all;

  BulkBench(Options options) {
    this.options = options;
    codecs = options.text("--codecs", "");
    all =
        codecs.isEmpty()
            ? List.of(new Copies("SEGMENT", 1), new Copies("DOCUMENT", 1), Copies.NONE)
            : Arrays.stream(codecs.split(",")).map(Copies::noneBy).toList();
  }

  void run() throws IOException, InterruptedException {
    try (Servers servers = Servers.of(options)) {
      measure(servers.all());
    }
  }

  private void measure(List<Server> servers) throws IOException, InterruptedException {
    Shape shape = Shape.of(options.text("--shape", "taxis"));
    Map<String, List<BulkRun.Result>> results = new LinkedHashMap<>();
    List<byte[]> bodies = load(shape, Copies.NONE).bodies();
    int warmUp = options.number("--warm-up", 3);
    for (int round = 0; round < warmUp + options.number("--runs", 3); round++) {
      for (Copies copies : all) {
        for (Server server : servers) {
          BulkRun.Result result = load(shape, copies).on(server, bodies);
          System.err.printf(
              Locale.ROOT, "%s %s run %d: %s%n", server.name(), copies.label(), round, result);
          // The first rounds warm the compilers up and are not counted.
          if (round >= warmUp) {
            results
                .computeIfAbsent(server.name() + " " + copies.label(), k -> new ArrayList<>())
                .add(result);
          }
        }
      }
    }
    print(shape, results);
    if (codecs.isEmpty()) {
      printSingleWrites(shape, servers);
    }
  }

  private BulkRun load(Shape shape, Copies copies) {
    return new BulkRun(
        shape,
        copies,
        options.number("--documents", 100_000),
        options.number("--bulk", 1000),
        options.number("--clients", 4),
        options.text("--refresh", "1s"));
  }

  private void print(Shape shape, Map<String, List<BulkRun.Result>> results) {
    System.out.printf(
        "%s, %,d documents a run, bulks of %d, %d clients, refresh %s, median of %d runs%n%n",
        shape,
        options.number("--documents", 100_000),
        options.number("--bulk", 1000),
        options.number("--clients", 4),
        options.text("--refresh", "1s"),
        options.number("--runs", 3));
    System.out.println(
        "| server | replica | docs/s | server CPU s/100k | bulk p50 ms | p99 ms | store MB/100k | lag p50 ms | p99 ms | docs/s ratio | docs per CPU s ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    results.forEach((key, runs) -> {
      String[] names = key.split(" ");
      List<BulkRun.Result> base =
          results.get(
              codecs.isEmpty() ? "peer " + names[1] : names[0] + " " + all.getFirst().label());
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.0f | %.2f | %.0f | %.0f | %.2f | %.0f | %.0f | %s | %s |%n",
          names[0],
          names[1],
          Figures.median(runs, BulkRun.Result::documentsPerSecond),
          Figures.median(runs, BulkRun.Result::cpuSecondsPer100k),
          Figures.median(runs, BulkRun.Result::bulkP50Millis),
          Figures.median(runs, BulkRun.Result::bulkP99Millis),
          Figures.median(runs, BulkRun.Result::storeMbPer100k),
          Figures.median(runs, BulkRun.Result::lagP50Millis),
          Figures.median(runs, BulkRun.Result::lagP99Millis),
          Figures.pairedRatio(runs, base, BulkRun.Result::documentsPerSecond),
          Figures.pairedRatio(runs, base, r -> 1 / r.cpuSecondsPer100k()));
    });
  }

  private static void printSingleWrites(Shape shape, List<Server> servers) throws IOException {
    System.out.println();
    System.out.println("| server | single writes | p50 ms | p99 ms |");
    System.out.println("|---|---|---|---|");
    for (Server server : servers) {
      Latencies latencies = new WriteRun(shape, SINGLE_WARM_UP, SINGLE_WRITES).on(server);
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %.2f | %.2f |%n",
          server.name(),
          latencies.count(),
          latencies.quantile(0.5),
          latencies.quantile(0.99));
    }
  }
}
