package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code bench search}: searches of the named workloads over generated documents, force-merged to
 * one segment a shard, caches of answers and of queries off as the workloads have them.
 *
 * <pre>
 *   --documents N (300000)   --shards N (1)   --clients N (2)    --runs N (5)   --warm-up N (3)
 *   --calls N     (50)  a client and round    --only a,b  these operations alone
 * </pre>
 */
final class SearchBench {

  private static final int DOCUMENTS_PER_BULK = 2000;
  private static final int LOADING_CLIENTS = 2;

  private final Options options;

  SearchBench(Options options) {
    this.options = options;
  }

  void run() throws IOException, InterruptedException {
    try (Servers servers = Servers.of(options)) {
      for (Server server : servers.all()) {
        for (Shape shape : List.of(Shape.TAXIS, Shape.LOGS)) {
          load(server, shape);
        }
      }
      print(measure(servers.all()));
    }
  }

  private void load(Server server, Shape shape) throws IOException, InterruptedException {
    String index = "bench-" + shape.name().toLowerCase(Locale.ROOT);
    server.call("DELETE", "/" + index + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + index,
        "{\"settings\":{\"number_of_shards\":"
            + options.number("--shards", 1)
            + ",\"number_of_replicas\":0,\"queries.cache.enabled\":false,\"requests.cache.enable\":false},\"mappings\":"
            + shape.mapping()
            + "}");
    server.call("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s", "");
    BulkRun loading =
        new BulkRun(shape, Copies.NONE, documents(), DOCUMENTS_PER_BULK, LOADING_CLIENTS, "1s");
    loading.send(server, index, loading.bodies(), new Latencies());
    server.call("POST", "/" + index + "/_refresh", "");
    server.call("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
    server.call("POST", "/" + index + "/_refresh", "");
    System.err.printf(Locale.ROOT, "%s holds %,d of %s%n", server.name(), documents(), shape);
  }

  private Map<String, List<SearchRun.Result>> measure(List<Server> servers)
      throws IOException, InterruptedException {
    Set<String> only = Set.of(options.text("--only", "").split(","));
    Map<String, List<SearchRun.Result>> results = new LinkedHashMap<>();
    int warmUp = options.number("--warm-up", 3);
    for (int round = 0; round < warmUp + options.number("--runs", 5); round++) {
      for (SearchOperation operation : SearchOperation.all(documents())) {
        if (!only.contains("") && !only.contains(operation.name())) {
          continue;
        }
        SearchRun run =
            new SearchRun(
                operation, options.number("--clients", 2), options.number("--calls", 50), round);
        for (Server server : servers) {
          SearchRun.Result result = run.on(server);
          // The first rounds warm the compilers up and are not counted.
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

  private void print(Map<String, List<SearchRun.Result>> results) {
    System.out.printf(
        "%,d documents of each shape, %d shards, %d clients, %d calls each, median of %d rounds%n%n",
        documents(),
        options.number("--shards", 1),
        options.number("--clients", 2),
        options.number("--calls", 50),
        options.number("--runs", 5));
    System.out.println(
        "| operation | server | calls/s | p50 ms | p99 ms | CPU ms/call | calls/s ratio | p50 ratio | p99 ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    results.forEach((key, runs) -> {
      String[] names = key.split(" ");
      List<SearchRun.Result> peer = results.get("peer " + names[1]);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.1f | %.2f | %.2f | %.2f | %s | %s | %s |%n",
          names[1],
          names[0],
          Figures.median(runs, SearchRun.Result::callsPerSecond),
          Figures.median(runs, SearchRun.Result::p50Millis),
          Figures.median(runs, SearchRun.Result::p99Millis),
          Figures.median(runs, SearchRun.Result::cpuMillisPerCall),
          Figures.pairedRatio(runs, peer, SearchRun.Result::callsPerSecond),
          Figures.pairedRatio(runs, peer, SearchRun.Result::p50Millis),
          Figures.pairedRatio(runs, peer, SearchRun.Result::p99Millis));
    });
  }

  private int documents() {
    return options.number("--documents", 300_000);
  }
}
