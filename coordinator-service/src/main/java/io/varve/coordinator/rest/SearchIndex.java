package io.varve.coordinator.rest;

import io.varve.cluster.IndexMetadata;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index that a search covers, named directly or through aliases that restrict the search.
 *
 * @param filters the JSON of queries, at least one of which a document must match; empty for no
 *     restriction
 * @param routing the values whose shards are searched; null for all shards
 */
public record SearchIndex(
    IndexMetadata index, List<String> filters, @Nullable Set<String> routing) {

  public SearchIndex {
    filters = List.copyOf(filters);
    routing = routing == null ? null : Set.copyOf(routing);
  }

  /** Returns the index without restrictions. */
  public static SearchIndex whole(IndexMetadata index) {
    return new SearchIndex(index, List.of(), null);
  }

  /** Returns the filters combined into the JSON of one query; null if there are none. */
  public @Nullable String filter() {
    return switch (filters.size()) {
      case 0 -> null;
      case 1 -> filters.getFirst();
      default -> "{\"bool\":{\"should\":[" + String.join(",", filters) + "]}}";
    };
  }
}
