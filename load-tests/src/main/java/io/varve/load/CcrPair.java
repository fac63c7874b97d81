package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Two clusters; the first is configured in the second as the remote cluster {@code leader}.
 *
 * @param data the data folder of the clusters if this process started them
 */
record CcrPair(MeasuredServer leader, MeasuredServer follower, Optional<Path> data)
    implements AutoCloseable {

  static final String INDEX = "bench";

  /** More followers of one index would not fit on one machine. */
  static final int MAX_FOLLOWERS = 3;

  private static final long POLL_MILLIS = 50;
  private static final int ATTEMPTS = 1_200;
  private static final String PULLING = "PULLING";
  private static final int FOLLOWER_PORT_DISTANCE = 100;
  static final String BROKER = "broker";

  /**
   * The properties of an index to create.
   *
   * @param followers the number of indices that follow it
   */
  record Layout(int shards, int replicas, int followers) {}

  /**
   * Starts both clusters.
   *
   * @param link the link between them, in the format of {@code varve cluster --link}; empty: none
   * @param secured whether both have security, and TLS between them
   */
  static CcrPair start(ServerOptions options, String link, String compression, boolean secured)
      throws IOException {
    Path data = Files.createTempDirectory("varve-bench-ccr");
    List<String> arguments = new ArrayList<>(List.of("--follower"));
    if (!link.isEmpty()) {
      arguments.addAll(List.of("--link", link));
    }
    if (secured) {
      arguments.add("--secured");
    }
    arguments.addAll(List.of("--shard-services", "1", "--replication-services", "1"));
    arguments.addAll(List.of("--restart", "never", "--log.flush", options.flush()));
    arguments.addAll(List.of("--heap", options.heap()));
    arguments.addAll(List.of("--varve.kafka.compression", compression));
    Path home = Path.of(System.getProperty("varve.home", "."));
    MeasuredServer leader = MeasuredServer.varve(home, data, options.port(), arguments);
    int port = options.port() + FOLLOWER_PORT_DISTANCE;
    MeasuredServer follower =
        new MeasuredServer(
            "varve's follower",
            List.of((secured ? "https" : "http") + "://127.0.0.1:" + port),
            secured ? ServerAccess.admin(data.resolve("follower")) : ServerAccess.PLAIN,
            MeasuredServer.processes(data, "follower"),
            null);
    if (secured) {
      leader = leader.with("varve, secured", ServerAccess.admin(data));
    }
    return new CcrPair(leader, follower, Optional.of(data));
  }

  /** A pair of clusters that are already running. */
  static CcrPair running(String leaderUrl, List<Long> leaderPids, String followerUrl) {
    return new CcrPair(
        MeasuredServer.running("peer", leaderUrl, leaderPids),
        MeasuredServer.running("peer's follower", followerUrl, List.of()),
        Optional.empty());
  }

  static String followerIndex(int number) {
    return INDEX + "-" + number;
  }

  /** Deletes the indices of the last run and creates new ones. */
  void recreate(Shape shape, Layout layout) throws IOException, InterruptedException {
    for (int i = 1; i <= MAX_FOLLOWERS; i++) {
      follower.call("DELETE", "/" + followerIndex(i) + "?ignore_unavailable=true", "");
    }
    leader.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
    leader.call(
        "PUT",
        "/" + INDEX,
        """
        {"settings":{"number_of_shards":%d,"number_of_replicas":%d},"mappings":%s}
        """
            .formatted(layout.shards(), layout.replicas(), shape.mapping()));
    awaitGreen(leader, INDEX);
    for (int i = 1; i <= layout.followers(); i++) {
      follower.call(
          "PUT",
          "/" + followerIndex(i) + "/_ccr/follow?wait_for_active_shards=1",
          """
          {"remote_cluster":"leader","leader_index":"%s","settings":{"index.number_of_replicas":%d}}
          """
              .formatted(INDEX, layout.replicas()));
      awaitGreen(follower, followerIndex(i));
      awaitPulling(followerIndex(i), layout.shards());
    }
  }

  /**
   * Waits for the pullers, because connecting to the leader takes longer than indexing a few
   * documents.
   */
  private void awaitPulling(String index, int shards) throws IOException, InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (pulling(follower.call("GET", "/" + index + "/_ccr/stats", "")) == shards) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    throw new IOException("not every shard of " + index + " is pulled");
  }

  /** Returns the number of shards that are pulled according to the server. */
  static int pulling(JsonNode stats) {
    int pulling = 0;
    for (JsonNode shard : stats.path("indices").path(0).path("shards")) {
      if (shard.path("state").asString(PULLING).equals(PULLING)) {
        pulling++;
      }
    }
    return pulling;
  }

  private static void awaitGreen(MeasuredServer server, String index) throws IOException {
    server.call("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s", "");
  }

  /**
   * Checks that leader and follower have the same operations and the same documents.
   *
   * @throws IOException they differ
   */
  void checkEqual(int shards, long operations, long documents)
      throws IOException, InterruptedException {
    String following = followerIndex(1);
    check("operations", operations, () -> Checkpoints.operations(leader, INDEX, shards).orElse(-1));
    check(
        "operations",
        operations,
        () -> Checkpoints.operations(follower, following, shards).orElse(-1));
    check("documents", documents, () -> count(leader, INDEX));
    check("documents", documents, () -> count(follower, following));
  }

  private interface Count {
    long read() throws IOException;
  }

  /** Retries for some time, because a response may lack the shards of a busy node. */
  private static void check(String what, long expected, Count count)
      throws IOException, InterruptedException {
    long found = count.read();
    for (int attempt = 0; found != expected && attempt < ATTEMPTS; attempt++) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      found = count.read();
    }
    if (found != expected) {
      throw new IOException("expected %,d %s, found %,d".formatted(expected, what, found));
    }
  }

  private static long count(MeasuredServer server, String index) throws IOException {
    server.call("POST", "/" + index + "/_refresh", "");
    JsonNode answer = server.call("GET", "/" + index + "/_count", "");
    return answer.path("count").asLong(-1);
  }

  /**
   * Bytes that the links to the leader's brokers have sent to the follower. The launcher writes
   * this number to a file every second, so this method waits for two writes.
   */
  long linkBytes() throws IOException, InterruptedException {
    Path file = data.orElseThrow().resolve("links.json");
    for (int written = 0; written < 2; written++) {
      var before = Files.getLastModifiedTime(file);
      while (Files.getLastModifiedTime(file).equals(before)) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
    return bytesToFollower(MeasuredServer.JSON.readTree(Files.readAllBytes(file)));
  }

  static long bytesToFollower(JsonNode links) {
    long bytes = 0;
    for (JsonNode link : links.path("links")) {
      if (link.path("process").asString().startsWith(BROKER)) {
        bytes += link.path("bytes_to_follower").asLong();
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    leader.close();
    follower.close();
    if (data.isPresent()) {
      TemporaryFolders.delete(data.get());
    }
  }
}
