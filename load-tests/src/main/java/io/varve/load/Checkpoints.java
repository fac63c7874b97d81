package io.varve.load;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * The operations that the primaries of an index hold: the sum of their local checkpoints, plus one
 * each, because the first operation of a shard has the sequence number 0.
 */
final class Checkpoints {

  private static final String FIELDS =
      "filter_path=indices.*.shards.*.routing.primary,indices.*.shards.*.seq_no.local_checkpoint";

  // Each poll asks all nodes, and must not take CPU time that replication needs.
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private Checkpoints() {}

  /** The path of the request whose answer {@link #operations(JsonNode, String, int)} reads. */
  static String path(String index) {
    return "/" + index + "/_stats?level=shards&" + FIELDS;
  }

  static OptionalLong operations(MeasuredServer server, String index, int shards)
      throws IOException {
    return operations(server.call("GET", path(index), ""), index, shards);
  }

  /** Returns empty if the answer lacks a primary, for example of a node that was too busy. */
  static OptionalLong operations(JsonNode stats, String index, int shards) {
    long operations = 0;
    int primaries = 0;
    for (JsonNode shard : stats.path("indices").path(index).path("shards")) {
      for (JsonNode copy : shard) {
        if (copy.path("routing").path("primary").asBoolean(false)) {
          operations += copy.path("seq_no").path("local_checkpoint").asLong(-1) + 1;
          primaries++;
        }
      }
    }
    return primaries < shards ? OptionalLong.empty() : OptionalLong.of(operations);
  }

  /**
   * Waits until an index holds a number of operations.
   *
   * @return the time by the clock of the first answer that shows them
   * @throws IOException they are missing after ten minutes
   */
  static long awaitOperations(
      MeasuredServer server, String index, long expected, int shards, LoadClock clock)
      throws IOException, InterruptedException {
    long deadline = clock.nanos() + LIMIT_NANOS;
    try (HttpConnection connection = server.connect()) {
      while (true) {
        HttpConnection.Answer answer =
            connection.call("GET", path(index), "application/json", new byte[0]);
        long now = clock.nanos();
        JsonNode stats = MeasuredServer.JSON.readTree(answer.body());
        long held = operations(stats, index, shards).orElse(0);
        if (held >= expected) {
          return now;
        }
        if (now - deadline > 0) {
          throw new IOException("%s holds %,d of %,d operations".formatted(index, held, expected));
        }
        clock.sleepNanos(POLL_NANOS);
      }
    }
  }
}
