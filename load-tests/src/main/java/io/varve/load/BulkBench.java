package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench bulk}: measures bulk loads with a SEGMENT replica, with a DOCUMENT replica and
 * without a replica (or a selection of these), and then single writes. With {@code --codecs}, it
 * instead measures bulk loads without a replica, for each codec.
 */
@Command(
    name = "bulk",
    description = "Measures loads in bulks, and single writes.",
    sortOptions = false)
final class BulkBench implements Callable<Integer> {

  private static final int SINGLE_WARM_UP = 500;
  private static final int SINGLE_WRITES = 2000;

  @Mixin private BenchOptions options = new BenchOptions(100_000, 4, 3, 3);

  @Option(
      names = "--server",
      paramLabel = "cluster|up",
      defaultValue = "cluster",
      description = "a process for each service, or one for all (default: ${DEFAULT-VALUE})")
  private ServerKind server;

  @Option(
      names = "--shape",
      paramLabel = "taxis|logs",
      defaultValue = "taxis",
      description = "shape of the documents (default: ${DEFAULT-VALUE})")
  private Shape shape;

  @Option(
      names = "--bulk",
      paramLabel = "N",
      defaultValue = "1000",
      description = "documents per bulk (default: ${DEFAULT-VALUE})")
  private int documentsPerBulk;

  @Option(
      names = "--refresh",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "index.refresh_interval (default: ${DEFAULT-VALUE})")
  private String refreshInterval;

  @Option(
      names = "--replicas",
      paramLabel = "segment|document|none,...",
      split = ",",
      defaultValue = "segment,document,none",
      description = "the replicas to measure (default: ${DEFAULT-VALUE})")
  private List<Replicas> replicas;

  @Option(
      names = "--codecs",
      paramLabel = "NAME,...",
      split = ",",
      description = "codecs to compare, without a replica; ratios are to the first one")
  private List<String> codecs = List.of();

  private BulkBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Servers servers = Servers.of(options, server)) {
      measure(servers.all());
    }
    return 0;
  }

  private List<Copies> compared() {
    return codecs.isEmpty()
        ? replicas.stream().map(Replicas::copies).toList()
        : codecs.stream().map(Copies::noneBy).toList();
  }

  private void measure(List<MeasuredServer> servers) throws IOException, InterruptedException {
    Map<String, List<BulkRun.Result>> results = new LinkedHashMap<>();
    List<byte[]> bodies = load(Copies.NONE).bodies();
    int warmUp = options.warmUp();
    for (int round = 0; round < warmUp + options.runs(); round++) {
      for (Copies copies : compared()) {
        for (MeasuredServer server : servers) {
          BulkRun.Result result = load(copies).on(server, bodies);
          System.err.printf(
              Locale.ROOT, "%s %s run %d: %s%n", server.name(), copies.label(), round, result);
          // The first rounds warm up the JIT compiler and are not counted.
          if (round >= warmUp) {
            results
                .computeIfAbsent(server.name() + " " + copies.label(), k -> new ArrayList<>())
                .add(result);
          }
        }
      }
    }
    print(results);
    if (codecs.isEmpty()) {
      printSingleWrites(servers);
    }
  }

  private BulkRun load(Copies copies) {
    return new BulkRun(
        shape, copies, options.documents(), documentsPerBulk, options.clients(), refreshInterval);
  }

  private void print(Map<String, List<BulkRun.Result>> results) {
    System.out.printf(
        "%s, %,d documents a run, bulks of %d, %d clients, refresh %s, median of %d runs%n%n",
        shape,
        options.documents(),
        documentsPerBulk,
        options.clients(),
        refreshInterval,
        options.runs());
    System.out.println(
        "| server | replica | docs/s | server CPU s/100k | bulk p50 ms | p99 ms | store MB/100k | lag p50 ms | p99 ms | docs/s ratio | docs per CPU s ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    results.forEach((key, runs) -> {
      String[] names = key.split(" ");
      List<BulkRun.Result> base =
          results.get(
              codecs.isEmpty()
                  ? "peer " + names[1]
                  : names[0] + " " + compared().getFirst().label());
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.0f | %.2f | %.0f | %.0f | %.2f | %.0f | %.0f | %s | %s |%n",
          names[0],
          names[1],
          RunStats.median(runs, BulkRun.Result::documentsPerSecond),
          RunStats.median(runs, BulkRun.Result::cpuSecondsPer100k),
          RunStats.median(runs, BulkRun.Result::bulkP50Millis),
          RunStats.median(runs, BulkRun.Result::bulkP99Millis),
          RunStats.median(runs, BulkRun.Result::storeMbPer100k),
          RunStats.median(runs, BulkRun.Result::lagP50Millis),
          RunStats.median(runs, BulkRun.Result::lagP99Millis),
          RunStats.pairedRatio(runs, base, BulkRun.Result::documentsPerSecond),
          RunStats.pairedRatio(runs, base, r -> 1 / r.cpuSecondsPer100k()));
    });
  }

  private void printSingleWrites(List<MeasuredServer> servers) throws IOException {
    System.out.println();
    System.out.println("| server | single writes | p50 ms | p99 ms |");
    System.out.println("|---|---|---|---|");
    for (MeasuredServer server : servers) {
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
