package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * {@code bench bulk}: loads with a segment replica, a document replica and without one, and single
 * writes.
 *
 * <pre>
 *   --shape taxis|logs        (taxis)       --documents N   (100000)    --bulk N    (1000)
 *   --clients N               (4)           --runs N        (3)         --refresh T (1s)
 *   --port N                  (9400)        --log.flush always|os (os)
 *   --warm-up N               (3)           --heap SIZE     (2g)
 *   --peer-url URL --peer-pids 1,2          another server that speaks the dialect, already running, measured in turn
 * </pre>
 *
 * Runs are interleaved, so that a machine whose speed drifts slows both alike; figures are medians,
 * and ratios are to the peer.
 */
public final class Bench {

  private static final List<String> REPLICATIONS = List.of("SEGMENT", "DOCUMENT", "NONE");
  private static final int SINGLE_WARM_UP = 500;
  private static final int SINGLE_WRITES = 2000;

  private final Map<String, String> options;

  private Bench(Map<String, String> options) {
    this.options = options;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0 || !arguments[0].equals("bulk")) {
      System.err.println(
          "usage: bench bulk [--shape taxis|logs] [--documents N] [--bulk N] [--clients N] [--runs N]"
              + " [--refresh 1s] [--port N] [--log.flush always|os] [--warm-up N] [--heap 2g] [--peer-url URL --peer-pids PID,...]");
      System.exit(2);
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    new Bench(options).bulk();
  }

  private void bulk() throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("varve-bench");
    Path home = Path.of(System.getProperty("varve.home", "."));
    List<Server> servers = new ArrayList<>();
    try {
      servers.add(
          Server.varve(
              home,
              data,
              number("--port", 9400),
              List.of("--log.flush", text("--log.flush", "os"), "--heap", text("--heap", "2g"))));
      if (options.containsKey("--peer-url")) {
        List<Long> pids =
            Arrays.stream(text("--peer-pids", "").split(",")).map(Long::parseLong).toList();
        servers.add(Server.running("peer", text("--peer-url", ""), pids));
      }
      measure(servers);
    } finally {
      for (Server server : servers) {
        server.close();
      }
      delete(data);
    }
  }

  private void measure(List<Server> servers) throws IOException, InterruptedException {
    Shape shape = Shape.of(text("--shape", "taxis"));
    Map<String, List<BulkRun.Result>> results = new LinkedHashMap<>();
    List<byte[]> bodies = run(shape, "NONE").bodies();
    int warmUp = number("--warm-up", 3);
    for (int round = 0; round < warmUp + number("--runs", 3); round++) {
      for (String replication : REPLICATIONS) {
        for (Server server : servers) {
          BulkRun.Result result = run(shape, replication).on(server, bodies);
          System.err.printf(
              Locale.ROOT, "%s %s run %d: %s%n", server.name(), replication, round, result);
          // The first rounds warm the compilers up and are not counted.
          if (round >= warmUp) {
            results
                .computeIfAbsent(server.name() + " " + replication, k -> new ArrayList<>())
                .add(result);
          }
        }
      }
    }
    print(shape, results);
    printSingleWrites(shape, servers);
  }

  private BulkRun run(Shape shape, String replication) {
    return new BulkRun(
        shape,
        replication,
        number("--documents", 100_000),
        number("--bulk", 1000),
        number("--clients", 4),
        text("--refresh", "1s"));
  }

  private void print(Shape shape, Map<String, List<BulkRun.Result>> results) {
    System.out.printf(
        "%s, %,d documents a run, bulks of %d, %d clients, refresh %s, median of %d runs%n%n",
        shape,
        number("--documents", 100_000),
        number("--bulk", 1000),
        number("--clients", 4),
        text("--refresh", "1s"),
        number("--runs", 3));
    System.out.println(
        "| server | replica | docs/s | server CPU s/100k | bulk p50 ms | p99 ms | store MB/100k | lag p50 ms | p99 ms | docs/s ratio | docs per CPU s ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    results.forEach((key, runs) -> {
      String[] names = key.split(" ");
      List<BulkRun.Result> peer = results.get("peer " + names[1]);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.0f | %.2f | %.0f | %.0f | %.2f | %.0f | %.0f | %s | %s |%n",
          names[0],
          names[1],
          median(runs, BulkRun.Result::documentsPerSecond),
          median(runs, BulkRun.Result::cpuSecondsPer100k),
          median(runs, BulkRun.Result::bulkP50Millis),
          median(runs, BulkRun.Result::bulkP99Millis),
          median(runs, BulkRun.Result::storeMbPer100k),
          median(runs, BulkRun.Result::lagP50Millis),
          median(runs, BulkRun.Result::lagP99Millis),
          pairedRatio(runs, peer, BulkRun.Result::documentsPerSecond),
          pairedRatio(runs, peer, r -> 1 / r.cpuSecondsPer100k()));
    });
  }

  /** The median of the ratios run by run, with the least and the most. */
  private static String pairedRatio(
      List<BulkRun.Result> runs,
      List<BulkRun.Result> peer,
      ToDoubleFunction<BulkRun.Result> figure) {
    if (peer == null || peer.equals(runs)) {
      return "";
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(runs.size(), peer.size()); i++) {
      ratios.add(figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(peer.get(i)));
    }
    ratios.sort(Comparator.naturalOrder());
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f-%.2f)",
        ratios.get(ratios.size() / 2),
        ratios.getFirst(),
        ratios.getLast());
  }

  private static double median(List<BulkRun.Result> runs, ToDoubleFunction<BulkRun.Result> figure) {
    double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
    return values[values.length / 2];
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

  private String text(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(options.getOrDefault(name, Integer.toString(otherwise)));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
