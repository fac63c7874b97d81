package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * One measured load: creates the index, sends the bulks, refreshes, and checks that all documents
 * are visible.
 *
 * @param refresh the index's refresh interval
 */
record BulkRun(
    Shape shape, Copies copies, int documents, int documentsPerBulk, int clients, String refresh) {

  static final String INDEX = "bench";
  private static final String ACTION = "{\"index\":{}}\n";

  /**
   * Results of a run. Server CPU covers all processes of the server, including the brokers of the
   * log. Primary CPU covers the shard-services, if their processes are known.
   */
  record Result(
      double documentsPerSecond,
      double cpuSecondsPer100k,
      double primaryCpuSecondsPer100k,
      double bulkP50Millis,
      double bulkP99Millis,
      double storeMbPer100k,
      double lagP50Millis,
      double lagP99Millis) {}

  /** Generates the request bodies, which must not be part of the measured time. */
  List<byte[]> bodies() {
    List<byte[]> bodies = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(42);
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      body.append(ACTION);
      shape.append(body, random, i);
      body.append('\n');
      if ((i + 1) % documentsPerBulk == 0 || i + 1 == documents) {
        bodies.add(body.toString().getBytes(UTF_8));
        body.setLength(0);
      }
    }
    return bodies;
  }

  Result on(MeasuredServer server, List<byte[]> bodies) throws IOException, InterruptedException {
    recreateIndex(server);
    Latencies latencies = new Latencies();
    try (LagProbe lag = new LagProbe(server, INDEX)) {
      double cpuBefore = server.processes().cpuSeconds();
      double primaryBefore = server.processes().cpuSeconds(MeasuredServer.SHARD_SERVICE);
      long begunNanos = System.nanoTime();
      send(server, INDEX, bodies, latencies);
      double seconds = (System.nanoTime() - begunNanos) / 1e9;
      server.call("POST", "/" + INDEX + "/_refresh", "");
      double cpu = server.processes().cpuSeconds() - cpuBefore;
      double primary = server.processes().cpuSeconds(MeasuredServer.SHARD_SERVICE) - primaryBefore;
      check(server);
      double storeBytes =
          server
              .call("GET", "/" + INDEX + "/_stats/store", "")
              .path("_all")
              .path("primaries")
              .path("store")
              .path("size_in_bytes")
              .asDouble(Double.NaN);
      return new Result(
          documents / seconds,
          cpu * 100_000 / documents,
          primary * 100_000 / documents,
          latencies.quantile(0.5),
          latencies.quantile(0.99),
          storeBytes / 1e6 * 100_000 / documents,
          lag.quantileMillis(0.5),
          lag.quantileMillis(0.99));
    }
  }

  void recreateIndex(MeasuredServer server) throws IOException {
    server.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + INDEX,
        "{\"settings\":{\"number_of_shards\":1,"
            + copies.settings()
            + ",\"refresh_interval\":\""
            + refresh
            + "\"},\"mappings\":"
            + shape.mapping()
            + "}");
    server.call("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", "");
  }

  /** Sends the bodies with the run's number of clients; fails if a document is rejected. */
  void send(MeasuredServer server, String index, List<byte[]> bodies, Latencies latencies)
      throws IOException {
    send(server, List.of(index), bodies, latencies, Pace.unlimited());
  }

  /** The same, but sends the bodies to the indices in turn, and each when it is due. */
  void send(
      MeasuredServer server,
      List<String> indices,
      List<byte[]> bodies,
      Latencies latencies,
      Pace pace)
      throws IOException {
    AtomicInteger next = new AtomicInteger();
    ParallelClients.run(
        clients,
        () -> {
          client(server, indices, bodies, next, latencies, pace);
          return null;
        });
  }

  private static void client(
      MeasuredServer server,
      List<String> indices,
      List<byte[]> bodies,
      AtomicInteger next,
      Latencies latencies,
      Pace pace)
      throws IOException, InterruptedException {
    try (HttpConnection connection = server.connect()) {
      for (int i = next.getAndIncrement(); i < bodies.size(); i = next.getAndIncrement()) {
        pace.awaitTurn(i);
        String path = "/" + indices.get(i % indices.size()) + "/_bulk";
        long sentNanos = System.nanoTime();
        HttpConnection.Answer answer =
            connection.call("POST", path, "application/x-ndjson", bodies.get(i));
        latencies.add(System.nanoTime() - sentNanos);
        if (!isWithoutErrors(answer)) {
          throw new IOException(
              "bulk " + i + " answered " + answer.status() + ": " + firstError(answer.text()));
        }
      }
    }
  }

  /** Whether all documents of a bulk were acked. Reads only the head of the answer. */
  static boolean isWithoutErrors(HttpConnection.Answer answer) {
    String head = new String(answer.body(), 0, Math.min(200, answer.body().length), UTF_8);
    return answer.status() == 200 && head.contains("\"errors\":false");
  }

  /** The part of an answer from its first error on, or the start of an answer without errors. */
  static String firstError(String answer) {
    int error = Math.max(0, answer.indexOf("\"error\":"));
    return answer.substring(error, Math.min(answer.length(), error + 400));
  }

  private void check(MeasuredServer server) throws IOException {
    JsonNode count = server.call("GET", "/" + INDEX + "/_count?preference=_primary", "");
    if (count.path("count").asLong(-1) != documents) {
      throw new IOException(
          server.name() + " holds " + count.path("count") + " of " + documents + " documents");
    }
  }
}
