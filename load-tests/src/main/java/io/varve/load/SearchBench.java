package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench search}: measures the searches of OpenSearch Benchmark's workloads {@code nyc_taxis}
 * and {@code http_logs} over generated documents. Each shard is force-merged to one segment. As in
 * the workloads, request cache and query cache are off.
 */
@Command(name = "search", description = "Measures searches.", sortOptions = false)
final class SearchBench implements Callable<Integer> {

  private static final int DOCUMENTS_PER_BULK = 2000;
  private static final int LOADING_CLIENTS = 2;

  @Mixin private BenchOptions options = new BenchOptions(300_000, 2, 5, 3);

  @Option(
      names = "--server",
      paramLabel = "cluster|up",
      defaultValue = "cluster",
      description = "a process for each service, or one for all (default: ${DEFAULT-VALUE})")
  private ServerKind server;

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "1",
      description = "shards of each index (default: ${DEFAULT-VALUE})")
  private int shards;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "50",
      description = "calls per client and round (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--only",
      paramLabel = "NAME,...",
      split = ",",
      description = "the operations to measure (default: all)")
  private Set<String> only = Set.of();

  private SearchBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Servers servers = Servers.of(options, server)) {
      for (MeasuredServer server : servers.all()) {
        for (Shape shape : List.of(Shape.TAXIS, Shape.LOGS)) {
          load(server, shape, shards, options.documents());
        }
      }
      print(measure(servers.all()));
    }
    return 0;
  }

  /** Loads an index for the measurement of searches, merged to one segment per shard. */
  static void load(MeasuredServer server, Shape shape, int shards, int documents)
      throws IOException, InterruptedException {
    String index = "bench-" + shape.name().toLowerCase(Locale.ROOT);
    server.call("DELETE", "/" + index + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + index,
        "{\"settings\":{\"number_of_shards\":"
            + shards
            + ",\"number_of_replicas\":0,\"queries.cache.enabled\":false,\"requests.cache.enable\":false},\"mappings\":"
            + shape.mapping()
            + "}");
    server.call("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s", "");
    BulkRun loading =
        new BulkRun(shape, Copies.NONE, documents, DOCUMENTS_PER_BULK, LOADING_CLIENTS, "1s");
    loading.send(server, index, loading.bodies(), new Latencies());
    server.call("POST", "/" + index + "/_refresh", "");
    server.call("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
    server.call("POST", "/" + index + "/_refresh", "");
    System.err.printf(Locale.ROOT, "%s holds %,d of %s%n", server.name(), documents, shape);
  }

  private Map<String, List<SearchRound.Result>> measure(List<MeasuredServer> servers)
      throws IOException, InterruptedException {
    Map<String, List<SearchRound.Result>> results = new LinkedHashMap<>();
    int warmUp = options.warmUp();
    for (int round = 0; round < warmUp + options.runs(); round++) {
      for (SearchOperation operation : SearchOperation.all(options.documents())) {
        if (!only.isEmpty() && !only.contains(operation.name())) {
          continue;
        }
        SearchRound run = new SearchRound(operation, options.clients(), calls, round);
        for (MeasuredServer server : servers) {
          SearchRound.Result result = run.on(server);
          // The first rounds warm up the JIT compiler and are not counted.
          if (round >= warmUp) {
            results
                .computeIfAbsent(server.name() + " " + operation.name(), k -> new ArrayList<>())
                .add(result);
          }
        }
      }
      System.err.println("round " + round + " done");
    }
    return results;
  }

  private void print(Map<String, List<SearchRound.Result>> results) {
    System.out.printf(
        "%,d documents of each shape, %d shards, %d clients, %d calls each, median of %d rounds%n%n",
        options.documents(), shards, options.clients(), calls, options.runs());
    System.out.println(
        "| operation | server | calls/s | p50 ms | p99 ms | CPU ms/call | calls/s ratio | p50 ratio | p99 ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    results.forEach((key, runs) -> {
      String[] names = key.split(" ");
      List<SearchRound.Result> peer = results.get("peer " + names[1]);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.1f | %.2f | %.2f | %.2f | %s | %s | %s |%n",
          names[1],
          names[0],
          RunStats.median(runs, SearchRound.Result::callsPerSecond),
          RunStats.median(runs, SearchRound.Result::p50Millis),
          RunStats.median(runs, SearchRound.Result::p99Millis),
          RunStats.median(runs, SearchRound.Result::cpuMillisPerCall),
          RunStats.pairedRatio(runs, peer, SearchRound.Result::callsPerSecond),
          RunStats.pairedRatio(runs, peer, SearchRound.Result::p50Millis),
          RunStats.pairedRatio(runs, peer, SearchRound.Result::p99Millis));
    });
  }
}
