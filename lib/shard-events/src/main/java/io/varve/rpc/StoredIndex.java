package io.varve.rpc;

import io.varve.events.StoredManifest;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What the segment store holds of an index.
 *
 * @param createdMillis of its newest manifest
 * @param metadata what the index was then: name, settings, mapping, aliases
 * @param shards the newest of each shard of which there is one, by number
 */
public record StoredIndex(
    String name, String uuid, long createdMillis, JsonNode metadata, List<StoredManifest> shards) {

  public StoredIndex {
    shards = List.copyOf(shards);
  }

  /** One of many. */
  public record Entry(String name, String uuid, long createdMillis) {}
}
