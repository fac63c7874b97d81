package io.varve.coordinator.rest;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves index expressions: {@code a,b*,-bc,_all,<logs-{now/d}>}.
 *
 * <p>An empty expression, {@code _all} and {@code *} select all indices that wildcards may match.
 * After the first wildcard, a part with a minus removes its matches from those of the parts before
 * it; before the first wildcard, the minus belongs to a name. Names and patterns refer to indices
 * and aliases. A missing name is an error; a pattern without a match is an error only if the
 * options specify it.
 *
 * <p>Resolution has two steps: the expression is expanded to names, then the names are resolved to
 * indices. A search uses the names too: an index that was matched only through aliases is
 * restricted by their filters and routing.
 */
public final class IndexResolver {

  private IndexResolver() {}

  public static List<IndexMetadata> resolve(
      ClusterState state, @Nullable String expression, IndexOptions options) {
    return resolve(state, expression, options, "index_or_alias");
  }

  /**
   * @param resourceType the type of a missing resource in errors
   */
  public static List<IndexMetadata> resolve(
      ClusterState state, @Nullable String expression, IndexOptions options, String resourceType) {
    IndexExpansion expansion = new IndexExpansion(state, options, resourceType);
    return expansion.indices(expansion.names(expression), expression);
  }

  /**
   * Resolves the indices of a search, with the aliases' filters and routing.
   *
   * @param routing comma-separated values, or null for none
   */
  public static List<SearchIndex> search(
      ClusterState state,
      @Nullable String expression,
      IndexOptions options,
      @Nullable String routing) {
    IndexExpansion expansion = new IndexExpansion(state, options, "index_or_alias");
    Set<String> names = expansion.names(expression);
    Set<String> asked = routing == null ? null : values(routing);
    List<SearchIndex> found = new ArrayList<>();
    for (IndexMetadata index : expansion.indices(names, expression)) {
      found.add(reached(index, names, asked));
    }
    return found;
  }

  private static SearchIndex reached(
      IndexMetadata index, Set<String> names, @Nullable Set<String> asked) {
    List<AliasMetadata> through = new ArrayList<>();
    index
        .aliases()
        .forEach((name, alias) -> {
          if (names.contains(name)) {
            through.add(alias);
          }
        });
    boolean directly = names.contains(index.name()) || through.isEmpty();
    List<String> filters = new ArrayList<>();
    if (!directly && through.stream().allMatch(alias -> alias.filter() != null)) {
      through.forEach(alias -> filters.add(String.valueOf(alias.filter())));
    }
    return new SearchIndex(index, filters, routing(directly, through, asked));
  }

  /**
   * Returns the routing values; null, which means all shards, if any of the names has no routing.
   */
  private static @Nullable Set<String> routing(
      boolean directly, List<AliasMetadata> through, @Nullable Set<String> asked) {
    if (directly || through.stream().anyMatch(alias -> alias.searchRouting() == null)) {
      return asked;
    }
    Set<String> values = new LinkedHashSet<>();
    through.forEach(alias -> values.addAll(values(String.valueOf(alias.searchRouting()))));
    if (asked != null) {
      values.retainAll(asked);
    }
    return values;
  }

  private static Set<String> values(String routing) {
    return new LinkedHashSet<>(List.of(routing.split(",", -1)));
  }

  /** Returns the names of indices and aliases that the expression selects. */
  public static Set<String> names(
      ClusterState state, @Nullable String expression, IndexOptions options) {
    IndexExpansion expansion = new IndexExpansion(state, options, "index_or_alias");
    return expression == null || isAll(expression)
        ? expansion.matches("*")
        : expansion.names(expression);
  }

  /** Whether the expression selects all indices. */
  public static boolean isAll(@Nullable String expression) {
    return expression == null
        || expression.isEmpty()
        || expression.equals("_all")
        || expression.equals("*");
  }

  /** Returns the indices of each alias, by name. */
  public static Map<String, List<IndexMetadata>> aliases(ClusterState state) {
    Map<String, List<IndexMetadata>> aliases = new LinkedHashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      index
          .aliases()
          .keySet()
          .forEach(alias -> aliases.computeIfAbsent(alias, a -> new ArrayList<>()).add(index));
    }
    return aliases;
  }

  static ApiException severalIndices(String alias, List<IndexMetadata> indices) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "alias ["
                + alias
                + "] has more than one index associated with it "
                + indices.stream().map(IndexMetadata::name).toList()
                + ", can't execute a single index op"));
  }
}
