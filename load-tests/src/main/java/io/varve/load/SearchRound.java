package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.JsonNode;

/**
 * One measured round of one kind of search, in which each client sends its calls sequentially.
 *
 * @param seed the seed of the random values; the same for all servers in a round
 */
record SearchRound(SearchOperation operation, int clients, int callsPerClient, long seed) {

  /** Results of a run. */
  record Result(
      double callsPerSecond, double p50Millis, double p99Millis, double cpuMillisPerCall) {}

  Result on(MeasuredServer server) throws IOException, InterruptedException {
    Latencies latencies = new Latencies();
    double cpuBefore = server.processes().cpuSeconds();
    long begunNanos = System.nanoTime();
    try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
      List<Future<?>> running = new ArrayList<>();
      for (int c = 0; c < clients; c++) {
        SplittableRandom random = new SplittableRandom(seed * 31 + c);
        running.add(
            pool.submit(() -> {
              client(server, random, latencies);
              return null;
            }));
      }
      for (Future<?> client : running) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(operation.name() + " failed: " + e.getCause().getMessage(), e);
    }
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    double cpu = server.processes().cpuSeconds() - cpuBefore;
    return new Result(
        latencies.count() / seconds,
        latencies.quantile(0.5),
        latencies.quantile(0.99),
        cpu * 1000 / latencies.count());
  }

  private void client(MeasuredServer server, SplittableRandom random, Latencies latencies)
      throws IOException {
    try (HttpConnection connection = server.connect()) {
      for (int i = 0; i < callsPerClient; i++) {
        String body = operation.body().apply(random);
        if (operation.pages() == 1) {
          call(connection, "/" + operation.index() + "/_search", body, latencies);
        } else {
          scroll(connection, body, latencies);
        }
      }
    }
  }

  private void scroll(HttpConnection connection, String body, Latencies latencies)
      throws IOException {
    HttpConnection.Answer answer =
        call(
            connection, "/" + operation.index() + "/_search?sort=_doc&scroll=10s", body, latencies);
    String id = scrollId(answer);
    for (int page = 1; page < operation.pages(); page++) {
      answer =
          call(
              connection,
              "/_search/scroll",
              "{\"scroll\":\"10s\",\"scroll_id\":\"" + id + "\"}",
              latencies);
      id = scrollId(answer);
    }
    connection.call(
        "DELETE",
        "/_search/scroll",
        "application/json",
        ("{\"scroll_id\":[\"" + id + "\"]}").getBytes(UTF_8));
  }

  private static String scrollId(HttpConnection.Answer answer) {
    JsonNode id = MeasuredServer.JSON.readTree(answer.body()).path("_scroll_id");
    return id.asString();
  }

  private HttpConnection.Answer call(
      HttpConnection connection, String path, String body, Latencies latencies) throws IOException {
    long sentNanos = System.nanoTime();
    HttpConnection.Answer answer =
        connection.call("POST", path, "application/json", body.getBytes(UTF_8));
    latencies.add(System.nanoTime() - sentNanos);
    if (answer.status() != 200) {
      throw new IOException(
          operation.name() + " answered " + answer.status() + ": " + answer.text());
    }
    return answer;
  }
}
