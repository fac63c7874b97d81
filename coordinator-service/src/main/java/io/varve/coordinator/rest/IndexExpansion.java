package io.varve.coordinator.rest;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.access.Access;
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
 * Expands one index expression: first to the names of indices and aliases, then to indices.
 *
 * @see IndexResolver
 */
final class IndexExpansion {
  private final ClusterState state;
  private final IndexOptions options;
  private final String resourceType;
  private final Set<String> named = new LinkedHashSet<>();
  private final Access access = Access.current();

  IndexExpansion(ClusterState state, IndexOptions options, String resourceType) {
    this.state = state;
    this.options = options;
    this.resourceType = resourceType;
  }

  /** Returns the names of existing indices and aliases. */
  Set<String> names(@Nullable String expression) {
    Set<String> names = new LinkedHashSet<>();
    if (IndexResolver.isAll(expression)) {
      for (IndexMetadata index : state.indices().values()) {
        if (expandable(index) && (options.hidden() || !index.hidden()) && access.allows(index)) {
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
    access.require(state, name);
    boolean alias = !state.indicesOf(name).isEmpty();
    if (alias && options.aliases() == IndexOptions.Aliases.REFUSED) {
      if (!options.ignoreUnavailable()) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "The provided expression ["
                    + name
                    + "] matches an alias, specify the corresponding concrete indices"
                    + " instead."));
      }
    } else if (state.indices().containsKey(name) || alias) {
      names.add(name);
      named.add(name);
    } else if (!options.ignoreUnavailable()) {
      throw missing(name);
    }
  }

  Set<String> matches(String pattern) {
    Set<String> matches = new LinkedHashSet<>();
    for (IndexMetadata index : state.indices().values()) {
      if (expandable(index)
          && Wildcard.matches(pattern, index.name())
          && shown(index.name(), pattern, index.hidden())
          && access.allows(index)) {
        matches.add(index.name());
      }
    }
    if (options.aliases() != IndexOptions.Aliases.REFUSED) {
      IndexResolver.aliases(state)
          .forEach((name, indices) -> {
            boolean hidden = indices.stream().allMatch(i -> alias(i, name).leftOut());
            if (Wildcard.matches(pattern, name)
                && shown(name, pattern, hidden)
                && indices.stream().anyMatch(this::expandable)
                && indices.stream().allMatch(access::allows)) {
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
   * Whether a pattern may match a name. A pattern that begins with a dot also matches hidden names
   * that begin with a dot.
   */
  private boolean shown(String name, String pattern, boolean hidden) {
    return !hidden || options.hidden() || (pattern.startsWith(".") && name.startsWith("."));
  }

  List<IndexMetadata> indices(Set<String> names, @Nullable String expression) {
    Map<String, IndexMetadata> found = new LinkedHashMap<>();
    boolean one = options.aliases() == IndexOptions.Aliases.ONE;
    for (String name : names) {
      IndexMetadata index = state.indices().get(name);
      List<IndexMetadata> indices = index != null ? List.of(index) : state.indicesOf(name);
      if (one && indices.size() > 1) {
        throw IndexResolver.severalIndices(name, indices);
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
