package io.varve.coordinator.rest;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
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
    Expansion expansion = new Expansion(state, options, resourceType);
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
    Expansion expansion = new Expansion(state, options, "index_or_alias");
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
    Expansion expansion = new Expansion(state, options, "index_or_alias");
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

  /** Expands one expression. */
  private static final class Expansion {
    private final ClusterState state;
    private final IndexOptions options;
    private final String resourceType;
    private final Map<String, List<IndexMetadata>> aliases;
    private final Set<String> named = new LinkedHashSet<>();

    Expansion(ClusterState state, IndexOptions options, String resourceType) {
      this.state = state;
      this.options = options;
      this.resourceType = resourceType;
      this.aliases = aliases(state);
    }

    /** Returns the names of existing indices and aliases. */
    Set<String> names(@Nullable String expression) {
      Set<String> names = new LinkedHashSet<>();
      if (isAll(expression)) {
        for (IndexMetadata index : state.indices().values()) {
          if (expandable(index) && (options.hidden() || !index.hidden())) {
            names.add(index.name());
          }
        }
        return names;
      }
      boolean wildcardSeen = false;
      for (String part : expression.split(",", -1)) {
        if (part.isEmpty()) {
          continue;
        }
        boolean minus = part.startsWith("-") && wildcardSeen;
        String name = DateMathName.resolve(minus ? part.substring(1) : part);
        refuseUnderscore(name);
        if (name.equals("_all") || Wildcard.isPattern(name)) {
          wildcardSeen = true;
          change(names, matches(name.equals("_all") ? "*" : name), minus, name);
        } else if (minus) {
          names.remove(name);
        } else {
          addNamed(name, names);
        }
      }
      return names;
    }

    private void change(Set<String> names, Set<String> matches, boolean minus, String pattern) {
      if (minus) {
        names.removeAll(matches);
        return;
      }
      if (matches.isEmpty() && !options.allowNoIndices()) {
        throw missing(pattern);
      }
      names.addAll(matches);
    }

    private static void refuseUnderscore(String name) {
      if (name.startsWith("_") && !name.equals("_all")) {
        throw new ApiException(
            ErrorBody.of(
                    400,
                    "invalid_index_name_exception",
                    "Invalid index name [" + name + "], must not start with '_'.")
                .with("index", name)
                .with("index_uuid", "_na_"));
      }
    }

    private void addNamed(String name, Set<String> names) {
      if (aliases.containsKey(name) && options.aliases() == IndexOptions.Aliases.REFUSED) {
        if (!options.ignoreUnavailable()) {
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "The provided expression ["
                      + name
                      + "] matches an alias, specify the corresponding concrete indices"
                      + " instead."));
        }
      } else if (state.indices().containsKey(name) || aliases.containsKey(name)) {
        names.add(name);
        named.add(name);
      } else if (!options.ignoreUnavailable()) {
        throw missing(name);
      }
    }

    private Set<String> matches(String pattern) {
      Set<String> matches = new LinkedHashSet<>();
      for (IndexMetadata index : state.indices().values()) {
        if (expandable(index)
            && Wildcard.matches(pattern, index.name())
            && shown(index.name(), pattern, index.hidden())) {
          matches.add(index.name());
        }
      }
      if (options.aliases() != IndexOptions.Aliases.REFUSED) {
        aliases.forEach((name, indices) -> {
          boolean hidden = indices.stream().allMatch(i -> alias(i, name).leftOut());
          if (Wildcard.matches(pattern, name)
              && shown(name, pattern, hidden)
              && indices.stream().anyMatch(this::expandable)) {
            matches.add(name);
          }
        });
      }
      return matches;
    }

    private static AliasMetadata alias(IndexMetadata index, String name) {
      return index.aliases().getOrDefault(name, AliasMetadata.PLAIN);
    }

    private boolean expandable(IndexMetadata index) {
      return index.closed() ? options.states().closed() : options.states().open();
    }

    /**
     * Whether a pattern may match a name. A pattern that begins with a dot also matches hidden
     * names that begin with a dot.
     */
    private boolean shown(String name, String pattern, boolean hidden) {
      return !hidden || options.hidden() || (pattern.startsWith(".") && name.startsWith("."));
    }

    List<IndexMetadata> indices(Set<String> names, @Nullable String expression) {
      Map<String, IndexMetadata> found = new LinkedHashMap<>();
      boolean one = options.aliases() == IndexOptions.Aliases.ONE;
      for (String name : names) {
        IndexMetadata index = state.indices().get(name);
        List<IndexMetadata> indices =
            index != null ? List.of(index) : aliases.getOrDefault(name, List.of());
        if (one && indices.size() > 1) {
          throw severalIndices(name, indices);
        }
        // An alias that a wildcard matched contributes only indices in the states that wildcards
        // match.
        boolean any = named.contains(name);
        indices.stream()
            .filter(i -> any || expandable(i))
            .filter(this::usable)
            .forEach(i -> found.put(i.name(), i));
      }
      if (found.isEmpty() && !options.allowNoIndices()) {
        throw missing(expression == null || expression.isEmpty() ? "_all" : expression);
      }
      return new ArrayList<>(found.values());
    }

    private boolean usable(IndexMetadata index) {
      if (!index.closed() || !options.forbidClosed()) {
        return true;
      }
      if (!options.ignoreUnavailable()) {
        throw new ApiException(IndexBlocks.closed(index));
      }
      return false;
    }

    private ApiException missing(String expression) {
      return new ApiException(ErrorBodies.indexNotFound(expression, resourceType));
    }
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
