package io.varve.coordinator.rest;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Index expressions: {@code a,b*,-bc,_all}.
 *
 * <p>Nothing, {@code _all} and {@code *} mean all indices that wildcards may find. A minus takes
 * away from what earlier parts found, once there was a wildcard; before that it belongs to a name.
 * A name that is missing is an error, a pattern that finds nothing only when the options say so.
 */
public final class IndexResolver {

  private IndexResolver() {}

  public static List<IndexMetadata> resolve(
      ClusterState state, @Nullable String expression, IndexOptions options) {
    return resolve(state, expression, options, "index_or_alias");
  }

  /** {@code resourceType} is how an error calls what was looked for. */
  public static List<IndexMetadata> resolve(
      ClusterState state, @Nullable String expression, IndexOptions options, String resourceType) {
    Map<String, IndexMetadata> found = new LinkedHashMap<>();
    if (isAll(expression)) {
      addMatches(state, "*", options, found);
    } else {
      addParts(state, expression, options, resourceType, found);
    }
    if (found.isEmpty() && !options.allowNoIndices()) {
      throw missing(expression == null || expression.isEmpty() ? "_all" : expression, resourceType);
    }
    return new ArrayList<>(found.values());
  }

  /** Whether the expression means every index. */
  public static boolean isAll(@Nullable String expression) {
    return expression == null
        || expression.isEmpty()
        || expression.equals("_all")
        || expression.equals("*");
  }

  private static void addParts(
      ClusterState state,
      String expression,
      IndexOptions options,
      String resourceType,
      Map<String, IndexMetadata> found) {
    boolean wildcardSeen = false;
    for (String part : expression.split(",", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      if (part.startsWith("_") && !part.equals("_all")) {
        throw new ApiException(
            ErrorBody.of(
                    400,
                    "invalid_index_name_exception",
                    "Invalid index name [" + part + "], must not start with '_'.")
                .with("index", part)
                .with("index_uuid", "_na_"));
      }
      if (part.startsWith("-") && wildcardSeen) {
        found.keySet().removeIf(name -> Wildcard.matches(part.substring(1), name));
      } else if (part.equals("_all") || Wildcard.isPattern(part)) {
        wildcardSeen = true;
        boolean any = addMatches(state, part.equals("_all") ? "*" : part, options, found);
        if (!any && !options.allowNoIndices()) {
          throw missing(part, resourceType);
        }
      } else {
        addNamed(state, part, options, resourceType, found);
      }
    }
  }

  private static void addNamed(
      ClusterState state,
      String name,
      IndexOptions options,
      String resourceType,
      Map<String, IndexMetadata> found) {
    IndexMetadata index = state.indices().get(name);
    if (index != null) {
      found.put(name, index);
    } else if (!options.ignoreUnavailable()) {
      throw missing(name, resourceType);
    }
  }

  private static boolean addMatches(
      ClusterState state, String pattern, IndexOptions options, Map<String, IndexMetadata> found) {
    boolean any = false;
    for (IndexMetadata index : state.indices().values()) {
      if (options.open()
          && Wildcard.matches(pattern, index.name())
          && (options.hidden() || !isHidden(index, pattern))) {
        found.put(index.name(), index);
        any = true;
      }
    }
    return any;
  }

  /** A hidden index whose name begins with a dot is found by patterns that begin with one. */
  private static boolean isHidden(IndexMetadata index, String pattern) {
    return IndexSettings.hidden(index.settings())
        && !(pattern.startsWith(".") && index.name().startsWith("."));
  }

  private static ApiException missing(String expression, String resourceType) {
    return new ApiException(ErrorBodies.indexNotFound(expression, resourceType));
  }
}
