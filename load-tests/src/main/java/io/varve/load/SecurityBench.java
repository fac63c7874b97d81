package io.varve.load;

import io.varve.load.growth.RoleCosts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench security}: measures the cost of security. Two clusters of the same build, one of
 * them with security, alternate in each round: a bulk load with a SEGMENT replica, searches, and
 * the copying of an index to a new replica. Ratios are those of the secured cluster to the other
 * one. Checks of a role are measured in this process.
 */
@Command(name = "security", description = "Measures what security costs.", sortOptions = false)
final class SecurityBench implements Callable<Integer> {

  private static final int DOCUMENTS_PER_BULK = 1_000;
  private static final int PORT_DISTANCE = 200;
  private static final List<String> SEARCHES = List.of("match", "term", "hourly_agg");
  private static final Copies REPLICATED = new Copies("SEGMENT", 1);

  @Mixin private ServerOptions options = new ServerOptions("1g");

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "50000",
      description = "documents per run and index (default: ${DEFAULT-VALUE})")
  private int documents;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "2",
      description = "concurrent clients (default: ${DEFAULT-VALUE})")
  private int clients;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description = "measured rounds (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "10",
      description = "rounds that are not counted (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "100",
      description = "searches of each kind per client and round (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--patterns",
      paramLabel = "N",
      defaultValue = "1000",
      description = "patterns of the role that is checked (default: ${DEFAULT-VALUE})")
  private int patterns;

  private final Map<String, List<BulkRun.Result>> loads = new LinkedHashMap<>();
  private final Map<String, List<SearchRound.Result>> searches = new LinkedHashMap<>();
  private final Map<String, List<SegmentCopyRun.Result>> copies = new LinkedHashMap<>();

  private SecurityBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    printRoles();
    try (Servers plain = Servers.alone(options, ServerKind.CLUSTER, 1);
        Servers secured = Servers.secured(options, options.port() + PORT_DISTANCE)) {
      measure(List.of(plain.all().getFirst(), secured.all().getFirst()));
    }
    printLoads();
    printSearches();
    printCopies();
    return 0;
  }

  private void measure(List<MeasuredServer> servers) throws IOException, InterruptedException {
    List<byte[]> bodies = load().bodies();
    List<SearchOperation> operations =
        SearchOperation.all(documents).stream()
            .filter(operation -> SEARCHES.contains(operation.name()))
            .toList();
    SegmentCopyRun copy = new SegmentCopyRun(operations.getFirst().index());
    for (MeasuredServer server : servers) {
      SearchBench.load(server, Shape.LOGS, 1, documents);
    }
    for (int round = 0; round < warmUp + runs; round++) {
      // The first rounds warm up the JIT compiler and are not counted.
      boolean counted = round >= warmUp;
      for (MeasuredServer server : servers) {
        add(counted, loads, server.name(), load().on(server, bodies));
      }
      for (SearchOperation operation : operations) {
        SearchRound run = new SearchRound(operation, clients, calls, round);
        for (MeasuredServer server : servers) {
          add(counted, searches, server.name() + " " + operation.name(), run.on(server));
        }
      }
      for (MeasuredServer server : servers) {
        add(counted, copies, server.name(), copy.on(server));
      }
      System.err.println("round " + round + " done");
    }
  }

  private static <T> void add(boolean counted, Map<String, List<T>> results, String key, T result) {
    if (counted) {
      results.computeIfAbsent(key, _ -> new ArrayList<>()).add(result);
    }
  }

  private BulkRun load() {
    return new BulkRun(Shape.TAXIS, REPLICATED, documents, DOCUMENTS_PER_BULK, clients, "1s");
  }

  private void printRoles() {
    RoleCosts roles = new RoleCosts(patterns);
    System.out.printf(Locale.ROOT, "A role with %,d patterns, CPU time of a check%n", patterns);
    CopiesBench.head(List.of("name of the index", "µs"));
    CopiesBench.row("asked for before", threeDecimals(roles.knownMicros()));
    CopiesBench.row("new, allowed", threeDecimals(roles.newMicros()));
    CopiesBench.row("new, refused", threeDecimals(roles.refusedMicros()));
  }

  private static String threeDecimals(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private void printLoads() {
    System.out.printf(
        Locale.ROOT,
        "%n%s with a SEGMENT replica, %,d documents a run, bulks of %d, %d clients, median of %d"
            + " runs after %d of warm-up%n",
        Shape.TAXIS,
        documents,
        DOCUMENTS_PER_BULK,
        clients,
        runs,
        warmUp);
    CopiesBench.head(
        List.of("cluster", "docs/s", "docs per CPU s", "bulk p50 ms", "docs per CPU s ratio"));
    loads.forEach((server, results) ->
        CopiesBench.row(
            server,
            RunStats.median(results, BulkRun.Result::documentsPerSecond),
            RunStats.median(results, SecurityBench::documentsPerCpuSecond),
            RunStats.median(results, BulkRun.Result::bulkP50Millis),
            ratio(loads, server, SecurityBench::documentsPerCpuSecond)));
  }

  private static double documentsPerCpuSecond(BulkRun.Result result) {
    return 100_000 / result.cpuSecondsPer100k();
  }

  private void printSearches() {
    System.out.printf(
        Locale.ROOT,
        "%n%,d documents of %s, %d clients, %d calls each%n",
        documents,
        Shape.LOGS,
        clients,
        calls);
    CopiesBench.head(List.of("cluster, search", "p50 ms", "CPU ms/call", "p50 ratio", "CPU ratio"));
    searches.forEach((key, results) ->
        CopiesBench.row(
            key,
            threeDecimals(RunStats.median(results, SearchRound.Result::p50Millis)),
            threeDecimals(RunStats.median(results, SearchRound.Result::cpuMillisPerCall)),
            ratio(searches, key, SearchRound.Result::p50Millis),
            ratio(searches, key, SearchRound.Result::cpuMillisPerCall)));
  }

  private void printCopies() {
    System.out.printf(Locale.ROOT, "%nAn index of %s is copied to a new replica%n", Shape.LOGS);
    CopiesBench.head(List.of("cluster", "MB", "MB per CPU s", "MB per CPU s ratio"));
    copies.forEach((server, results) ->
        CopiesBench.row(
            server,
            RunStats.median(results, SegmentCopyRun.Result::megabytes),
            RunStats.median(results, SegmentCopyRun.Result::megabytesPerCpuSecond),
            ratio(copies, server, SegmentCopyRun.Result::megabytesPerCpuSecond)));
  }

  /** The ratio to the same measurement of the cluster without security, per round. */
  private static <T> String ratio(
      Map<String, List<T>> results, String key, ToDoubleFunction<T> value) {
    String peer = key.replaceFirst("^" + Servers.SECURED, "varve");
    return RunStats.pairedRatio(results.get(key), results.get(peer), value);
  }
}
