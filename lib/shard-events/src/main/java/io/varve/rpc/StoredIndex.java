package io.varve.rpc;

import io.varve.events.StoredManifest;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * An index in the segment store.
 *
 * @param createdMillis of its newest manifest
 * @param metadata of the index at that time: name, settings, mapping, aliases
 * @param shards the newest manifest of each shard that has one, by number
 */
public record StoredIndex(
    String name, String uuid, long createdMillis, JsonNode metadata, List<StoredManifest> shards) {

  public StoredIndex {
    shards = List.copyOf(shards);
  }

  /** An entry of a list of stored indices. */
  public record Entry(String name, String uuid, long createdMillis) {}
}
