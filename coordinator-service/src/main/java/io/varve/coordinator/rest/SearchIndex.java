package io.varve.coordinator.rest;

import io.varve.cluster.IndexMetadata;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index as a search reaches it: by its own name, or through aliases that narrow what is found.
 *
 * @param filters JSON of queries, of which a document must match at least one; none when there is
 *     nothing to match
 * @param routing values to whose shards the search goes; null for all shards
 */
public record SearchIndex(
    IndexMetadata index, List<String> filters, @Nullable Set<String> routing) {

  public SearchIndex {
    filters = List.copyOf(filters);
    routing = routing == null ? null : Set.copyOf(routing);
  }

  /** All of the index. */
  public static SearchIndex whole(IndexMetadata index) {
    return new SearchIndex(index, List.of(), null);
  }

  /** The filters as one query's JSON; null when there are none. */
  public @Nullable String filter() {
    return switch (filters.size()) {
      case 0 -> null;
      case 1 -> filters.getFirst();
      default -> "{\"bool\":{\"should\":[" + String.join(",", filters) + "]}}";
    };
  }
}
