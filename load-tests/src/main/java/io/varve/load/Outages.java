package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Measures failover, recovery of a new replica and relocation of a primary, as observed by a
 * client.
 */
final class Outages {

  private static final String INDEX = BulkRun.INDEX;
  private static final int WRITES_BETWEEN_EVENTS = 200;
  private static final long POLL_MILLIS = 20;
  private static final long TIMEOUT_SECONDS = 120;

  private final BenchOptions options;

  Outages(BenchOptions options) {
    this.options = options;
  }

  /** Repeatedly kills the process of the primary with SIGKILL until one copy is left. */
  void failover(int megabytes) throws IOException, InterruptedException {
    int kills = options.runs();
    List<Double> gaps = new ArrayList<>();
    int failures;
    double shardMb;
    try (Servers servers = Servers.of(options, 1, kills, "never")) {
      MeasuredServer server = servers.all().getFirst();
      shardMb = fill(server, megabytes, new Copies("SEGMENT", kills));
      try (SteadyWriter writer = new SteadyWriter(server, INDEX)) {
        for (int i = 0; i < kills; i++) {
          awaitStarted(server, kills + 1 - i);
          writer.awaitMore(WRITES_BETWEEN_EVENTS);
          long killedNanos = System.nanoTime();
          server.processes().kill(primaryNode(server));
          TimeUnit.SECONDS.sleep(1);
          writer.awaitMore(WRITES_BETWEEN_EVENTS);
          gaps.add(writer.longestGapMillis(killedNanos, System.nanoTime()));
        }
        failures = writer.failures();
      }
    }
    CopiesBench.head(
        List.of("kill -9 of the primary: shard MB", "kills", "outage ms, each", "refused writes"));
    CopiesBench.row(shardMb, kills, each(gaps), failures);
  }

  /** Measures the time from the request for a replica until a search on it finds all documents. */
  void recovery(int megabytes) throws IOException, InterruptedException {
    List<Double> times = new ArrayList<>();
    double shardMb;
    try (Servers servers = Servers.of(options, 1, 1, "never")) {
      MeasuredServer server = servers.all().getFirst();
      shardMb = fill(server, megabytes, Copies.NONE);
      String node = nodeId(server, "replication-service-1");
      for (int i = 0; i < options.runs(); i++) {
        long askedNanos = System.nanoTime();
        setReplicas(server, 1);
        awaitAllDocuments(server, node, Blobs.documents(megabytes));
        times.add((System.nanoTime() - askedNanos) / 1e6);
        setReplicas(server, 0);
        awaitStarted(server, 1);
      }
    }
    CopiesBench.head(List.of("new replica: shard MB", "runs", "ms to its first complete answer"));
    CopiesBench.row(shardMb, times.size(), each(times));
  }

  /**
   * Measures gaps between acks during relocations of the primary, and during equally long spans
   * without a relocation.
   */
  void relocation(int moves) throws IOException, InterruptedException {
    Latencies moving = new Latencies();
    Latencies notMoving = new Latencies();
    int failures;
    try (Servers servers = Servers.of(options, 2, 1, "never")) {
      MeasuredServer server = servers.all().getFirst();
      fill(server, 100, new Copies("SEGMENT", 1));
      try (SteadyWriter writer = new SteadyWriter(server, INDEX)) {
        for (int i = 0; i < moves; i++) {
          writer.awaitMore(WRITES_BETWEEN_EVENTS);
          long fromNanos = System.nanoTime();
          move(server);
          long movedNanos = System.nanoTime();
          writer.awaitMore(1);
          moving.add((long) (writer.longestGapMillis(fromNanos, movedNanos) * 1e6));
          TimeUnit.NANOSECONDS.sleep(movedNanos - fromNanos);
          long spanEndNanos = System.nanoTime();
          writer.awaitMore(1);
          notMoving.add((long) (writer.longestGapMillis(movedNanos, spanEndNanos) * 1e6));
        }
        failures = writer.failures();
      }
    }
    CopiesBench.head(
        List.of(
            "moves of the primary", "longest time without an ack, p50 ms", "p99 ms", "refused"));
    CopiesBench.row(
        "moving, " + moving.count(), moving.quantile(0.5), moving.quantile(0.99), failures);
    CopiesBench.row("not moving", notMoving.quantile(0.5), notMoving.quantile(0.99), "");
  }

  /** Fills the index and returns the size of the primary in MB. */
  private double fill(MeasuredServer server, int megabytes, Copies copies)
      throws IOException, InterruptedException {
    Blobs.fill(server, megabytes, copies);
    server.call("POST", "/" + INDEX + "/_flush", "");
    return server
            .call("GET", "/" + INDEX + "/_stats/store", "")
            .at("/_all/primaries/store/size_in_bytes")
            .asDouble()
        / 1e6;
  }

  private static void setReplicas(MeasuredServer server, int count) throws IOException {
    server.call("PUT", "/" + INDEX + "/_settings", "{\"index.number_of_replicas\":" + count + "}");
  }

  private static void move(MeasuredServer server) throws IOException, InterruptedException {
    String from = primaryNode(server);
    String to = from.equals("shard-service-1") ? "shard-service-2" : "shard-service-1";
    server.call(
        "POST",
        "/_cluster/reroute",
        "{\"commands\":[{\"move\":{\"index\":\"%s\",\"shard\":0,\"from_node\":\"%s\",\"to_node\":\"%s\"}}]}"
            .formatted(INDEX, from, to));
    await("the primary on " + to, () -> primaryNode(server).equals(to));
  }

  private static String primaryNode(MeasuredServer server) throws IOException {
    for (JsonNode row : server.call("GET", "/_cat/shards/" + INDEX + "?format=json", "")) {
      if (row.path("prirep").asString().equals("p")
          && row.path("state").asString().equals("STARTED")) {
        return row.path("node").asString();
      }
    }
    return "";
  }

  private static String nodeId(MeasuredServer server, String name) throws IOException {
    for (JsonNode row : server.call("GET", "/_cat/nodes?format=json&full_id=true&h=id,name", "")) {
      if (row.path("name").asString().equals(name)) {
        return row.path("id").asString();
      }
    }
    throw new IOException("no node " + name);
  }

  private static void awaitStarted(MeasuredServer server, int copies)
      throws IOException, InterruptedException {
    await(
        copies + " copies",
        () -> {
          int started = 0;
          int rows = 0;
          for (JsonNode row : server.call("GET", "/_cat/shards/" + INDEX + "?format=json", "")) {
            String state = row.path("state").asString();
            started += state.equals("STARTED") ? 1 : 0;
            rows += state.equals("UNASSIGNED") ? 0 : 1;
          }
          return started == copies && rows == copies;
        });
  }

  private static void awaitAllDocuments(MeasuredServer server, String node, int documents)
      throws IOException, InterruptedException {
    String search =
        "/" + INDEX + "/_search?size=0&track_total_hits=true&preference=_only_nodes:" + node;
    try (HttpConnection connection = server.connect()) {
      await(
          "all documents on " + node,
          () -> {
            HttpConnection.Answer answer =
                connection.call("GET", search, "application/json", new byte[0]);
            return answer.status() == 200
                && MeasuredServer.JSON.readTree(answer.body()).at("/hits/total/value").asLong(-1)
                    == documents;
          });
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition condition)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("timed out after " + TIMEOUT_SECONDS + " s waiting for " + what);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private static String each(List<Double> millis) {
    return String.join(
        ", ", millis.stream().map(m -> String.format(Locale.ROOT, "%.0f", m)).toList());
  }
}
