package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The measurements on one strong index, whose documents have 64 bytes. */
record RereplicationRounds(
    MeasuredServer server, String type, int shards, int documents, LoadClock clock) {

  private static final int BULK = 1_000;
  private static final int VALUE_CHARACTERS = 56;
  private static final int ATTEMPTS = 1_200;
  private static final long POLL_MILLIS = 50;
  private static final long LOOK_MILLIS = 1_000;

  private String index() {
    return "bench-" + type.toLowerCase(Locale.ROOT);
  }

  /** Creates the index and fills it. */
  void create() throws IOException {
    server.call(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"cluster.rereplicate.max_requests_per_second\":-1}}");
    server.call(
        "PUT",
        "/" + index(),
        """
        {"settings":{"number_of_shards":%d,"number_of_replicas":1,"index.replication.type":"%s",
          "index.replication.consistency":"strong","index.replication.appeals":"none"},
         "mappings":{"properties":{"k":{"type":"keyword","index":false,"doc_values":false}}}}
        """
            .formatted(shards, type));
    awaitGreen();
    SplittableRandom random = new SplittableRandom(42);
    try (HttpConnection connection = server.connect()) {
      for (int from = 0; from < documents; from += BULK) {
        byte[] body = bulk(from, Math.min(documents, from + BULK), random);
        HttpConnection.Answer answer =
            connection.call("POST", "/" + index() + "/_bulk", "application/x-ndjson", body);
        if (answer.status() != 200 || !answer.text().contains("\"errors\":false")) {
          throw new IOException("a bulk answered " + answer.status() + ": " + answer.text());
        }
      }
    }
    server.call("POST", "/" + index() + "/_refresh", "");
  }

  private static byte[] bulk(int from, int to, SplittableRandom random) {
    StringBuilder body = new StringBuilder();
    for (int id = from; id < to; id++) {
      body.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n{\"k\":\"");
      for (int i = 0; i < VALUE_CHARACTERS; i++) {
        body.append((char) ('a' + random.nextInt(26)));
      }
      body.append("\"}\n");
    }
    return body.toString().getBytes(UTF_8);
  }

  private void awaitGreen() throws IOException {
    server.call("GET", "/_cluster/health/" + index() + "?wait_for_status=green&timeout=60s", "");
  }

  /** Replaces the primaries by new ones, which do not know for any record that copies hold it. */
  void forget() throws IOException, InterruptedException {
    server.call("POST", "/" + index() + "/_close", "");
    server.call("POST", "/" + index() + "/_open", "");
    awaitGreen();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (unreplicated() == documents) {
        return;
      }
      clock.sleepNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
    throw new IOException("only " + unreplicated() + " records are not known to be replicated");
  }

  private long unreplicated() throws IOException {
    JsonNode rows =
        server.call(
            "GET", "/_cat/replication/" + index() + "?format=json&h=unreplicated_records", "");
    long sum = 0;
    for (JsonNode row : rows) {
      sum += row.path("unreplicated_records").asLong(0);
    }
    return sum;
  }

  RereplicationRun run(RereplicationMethod method) throws IOException, InterruptedException {
    forget();
    RereplicationRun run = measured(method.parameters(), method.body());
    long left = unreplicated();
    if (left != 0) {
      throw new IOException(method.label() + " left " + left + " records");
    }
    return run;
  }

  /** Runs {@code peek} on that many documents per second. */
  RereplicationRun limited(double perSecond) throws IOException, InterruptedException {
    return measured("method=peek&requests_per_second=" + perSecond, "");
  }

  private RereplicationRun measured(String parameters, String body)
      throws IOException, InterruptedException {
    PowerOfTwoHistogram before = durations();
    double cpu = server.processes().cpuSeconds();
    long beganNanos = clock.nanos();
    String task =
        server
            .call(
                "POST",
                "/" + index() + "/_rereplicate?wait_for_completion=false&" + parameters,
                body)
            .path("task")
            .asString();
    JsonNode answer = end(task);
    double seconds = (clock.nanos() - beganNanos) / 1e9;
    check(answer);
    return new RereplicationRun(
        answer.path("checked").asLong(),
        seconds,
        answer.at("/rate/max").asDouble(0),
        durations().since(before),
        server.processes().cpuSeconds() - cpu);
  }

  /** Polls the task each second, because the highest rate is computed per poll interval. */
  private JsonNode end(String task) throws IOException {
    String path = "/_tasks/" + task + "?wait_for_completion=true&timeout=" + LOOK_MILLIS + "ms";
    try (HttpConnection connection = server.connect()) {
      while (true) {
        HttpConnection.Answer answer =
            connection.call("GET", path, "application/json", new byte[0]);
        JsonNode shown = MeasuredServer.JSON.readTree(answer.body());
        if (answer.status() == 200 && shown.path("completed").asBoolean()) {
          return shown.path("response");
        }
        server.call("GET", "/_tasks/" + task, "");
      }
    }
  }

  private static void check(JsonNode answer) throws IOException {
    if (!answer.path("failures").isEmpty()
        || answer.path("errors").asInt() + answer.path("timeouts").asInt() > 0) {
      throw new IOException("the job ended with " + answer);
    }
  }

  private PowerOfTwoHistogram durations() throws IOException {
    return PowerOfTwoHistogram.sum(
        server.call("GET", "/_nodes/stats/rereplication", ""), index() + "-re-repl");
  }

  /** Reads the first documents by id. */
  Latencies read(int count) throws IOException {
    Latencies latencies = new Latencies();
    try (HttpConnection connection = server.connect()) {
      for (int id = 0; id < Math.min(count, documents); id++) {
        long sentNanos = clock.nanos();
        HttpConnection.Answer answer =
            connection.call("GET", "/" + index() + "/_doc/" + id, "application/json", new byte[0]);
        latencies.add(clock.nanos() - sentNanos);
        if (answer.status() != 200) {
          throw new IOException("a get answered " + answer.status() + ": " + answer.text());
        }
      }
    }
    return latencies;
  }
}
