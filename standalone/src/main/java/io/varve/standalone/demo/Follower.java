package io.varve.standalone.demo;

import io.varve.events.Json;
import io.varve.standalone.FollowerAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.load.BulkLoader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The second cluster of {@code varve demo --follow}, which follows an index of the first one. */
final class Follower {

  private static final String REMOTE = "leader";
  private static final long POLL_MILLIS = 5;

  private final RestCalls leader;
  private final RestCalls follower;
  private final String index;

  Follower(RestCalls leader, RestCalls follower, String index) {
    this.leader = leader;
    this.follower = follower;
    this.index = index;
  }

  /** Deletes the index of an earlier run, before its leader is deleted. */
  void deleteIndex() throws IOException {
    follower.call("DELETE", "/" + index + "?ignore_unavailable=true", "").orThrow();
  }

  /**
   * Starts to follow.
   *
   * @param process the process of the leader
   */
  void follow(Background process) throws IOException {
    ObjectNode settings = Json.mapper().createObjectNode();
    ObjectNode persistent = settings.putObject("persistent");
    persistent.putArray("cluster.remote." + REMOTE + ".seeds").add(process.address());
    if (process.secured()) {
      FollowerAccess.of(process.data(), List.of()).createUser(leader);
      FollowerAccess.addTo(persistent, REMOTE);
    }
    follower.call("PUT", "/_cluster/settings", settings.toString()).orThrow();
    ObjectNode body = Json.mapper().createObjectNode();
    body.put("remote_cluster", REMOTE).put("leader_index", index);
    follower
        .call("PUT", "/" + index + "/_ccr/follow?wait_for_active_shards=1", body.toString())
        .orThrow();
  }

  /** Samples {@code lag_millis} of the shard with the largest lag. */
  LagSampler sampler() {
    return new LagSampler(() ->
        StreamSupport.stream(shardStats().spliterator(), false)
            .map(shard -> shard.path("lag_millis").asLong(-1))
            .filter(millis -> millis >= 0)
            .max(Long::compare)
            .map(List::of)
            .orElse(List.of()));
  }

  private JsonNode shardStats() throws IOException {
    return follower
        .get("/" + index + "/_ccr/stats")
        .orThrow()
        .json()
        .path("indices")
        .path(0)
        .path("shards");
  }

  /**
   * Waits until the follower holds all operations that the leader has, and returns the time.
   *
   * @throws IOException the follower does not hold them within the limit
   */
  long awaitAll(Duration within, LongSupplier nanos, BulkLoader.Pause pause)
      throws IOException, InterruptedException {
    Map<Integer, Long> wanted = checkpoints(leader);
    long deadline = nanos.getAsLong() + within.toNanos();
    while (true) {
      long behind = behind(wanted, checkpoints(follower));
      long now = nanos.getAsLong();
      if (behind == 0) {
        return now;
      }
      if (now - deadline > 0) {
        throw new IOException(
            "the follower is %d operations behind after %d s"
                .formatted(behind, within.toSeconds()));
      }
      pause.millis(POLL_MILLIS);
    }
  }

  private static long behind(Map<Integer, Long> wanted, Map<Integer, Long> held) {
    return wanted.entrySet().stream()
        .mapToLong(shard -> Math.max(0, shard.getValue() - held.getOrDefault(shard.getKey(), -1L)))
        .sum();
  }

  /** The local checkpoints of the primaries, by shard. */
  private Map<Integer, Long> checkpoints(RestCalls cluster) throws IOException {
    JsonNode shards =
        cluster
            .get("/" + index + "/_stats?level=shards")
            .orThrow()
            .json()
            .path("indices")
            .path(index)
            .path("shards");
    Map<Integer, Long> checkpoints = new TreeMap<>();
    shards
        .properties()
        .forEach(shard -> {
          for (JsonNode copy : shard.getValue()) {
            if (copy.path("routing").path("primary").asBoolean(false)) {
              checkpoints.put(
                  Integer.valueOf(shard.getKey()),
                  copy.path("seq_no").path("local_checkpoint").asLong(-1));
            }
          }
        });
    return checkpoints;
  }
}
