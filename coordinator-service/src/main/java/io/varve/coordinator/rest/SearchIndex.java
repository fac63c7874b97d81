package io.varve.coordinator.rest;

import io.varve.cluster.IndexMetadata;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index that a search covers: named directly, or through aliases that restrict what is found.
 *
 * @param filters JSON of queries, of which a document must match at least one; empty for no
 *     restriction
 * @param routing the values whose shards are searched; null for all shards
 */
public record SearchIndex(
    IndexMetadata index, List<String> filters, @Nullable Set<String> routing) {

  public SearchIndex {
    filters = List.copyOf(filters);
    routing = routing == null ? null : Set.copyOf(routing);
  }

  /** The index without restrictions. */
  public static SearchIndex whole(IndexMetadata index) {
    return new SearchIndex(index, List.of(), null);
  }

  /** The filters as the JSON of one query; null when there are none. */
  public @Nullable String filter() {
    return switch (filters.size()) {
      case 0 -> null;
      case 1 -> filters.getFirst();
      default -> "{\"bool\":{\"should\":[" + String.join(",", filters) + "]}}";
    };
  }
}
