package io.varve.load;

import java.io.IOException;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * The operations that the primaries of an index hold: the sum of their local checkpoints, plus one
 * each, because the first operation of a shard has the sequence number 0.
 */
final class Checkpoints {

  private static final String FIELDS =
      "filter_path=indices.*.shards.*.routing.primary,indices.*.shards.*.seq_no.local_checkpoint";

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
}
