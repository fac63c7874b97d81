package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects the copy to explain. Index, shard and kind select a copy; among several replicas, the one
 * on {@code currentNode} if that is given, otherwise an unassigned replica before assigned ones.
 * Without parameters (all null), any copy that is unassigned or has failed is selected, primaries
 * first.
 */
record CopyQuestion(
    @Nullable String index,
    @Nullable Integer shard,
    @Nullable Boolean primary,
    @Nullable String currentNode) {

  private static final Set<String> FIELDS = Set.of("index", "shard", "primary", "current_node");

  static CopyQuestion of(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!FIELDS.contains(key)) {
        throw new ApiException(
            400,
            "x_content_parse_exception",
            "[cluster/allocation/explain] unknown field [" + key + "]");
      }
    }
    Object index = body.get("index");
    Object shard = body.get("shard");
    Object primary = body.get("primary");
    Object node = body.get("current_node");
    if (body.isEmpty()) {
      return new CopyQuestion(null, null, null, null);
    }
    if (index == null || shard == null || primary == null) {
      List<String> missing = new ArrayList<>();
      if (index == null) {
        missing.add("index must be specified");
      }
      if (shard == null) {
        missing.add("shard must be specified");
      }
      if (primary == null) {
        missing.add("primary must be specified");
      }
      throw new ApiException(ErrorBodies.validation(missing));
    }
    if (!shard.toString().matches("\\d{1,9}")) {
      throw illegal("[shard] must be a number, was [" + shard + "]");
    }
    return new CopyQuestion(
        index.toString(),
        Integer.valueOf(shard.toString()),
        "true".equals(primary.toString()),
        node == null ? null : node.toString());
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /**
   * Returns the selected copy; throws an {@link ApiException} if there is none.
   *
   * @param failing whether a copy fails, or has failed
   */
  ExplainedCopy in(ClusterState state, Predicate<CopyRouting> failing) {
    if (index == null) {
      return anyUnassigned(
          state,
          copy -> !ExplainedCopy.isPlaced(state, copy) || (!copy.started() && failing.test(copy)));
    }
    IndexMetadata named = state.indices().get(index);
    if (named == null) {
      throw new ApiException(ErrorBodies.indexNotFound(index, "index_or_alias"));
    }
    int number = shard == null ? 0 : shard;
    if (number >= named.numberOfShards()) {
      throw new ApiException(404, "shard_not_found_exception", "no such shard");
    }
    ShardRouting routing = named.shard(number);
    return new ExplainedCopy(
        named, routing, Boolean.TRUE.equals(primary) ? routing.primary() : replica(state, routing));
  }

  private CopyRouting replica(ClusterState state, ShardRouting routing) {
    return routing.copies().stream()
        .filter(copy -> !copy.primary())
        .filter(copy -> currentNode == null || copy.isOn(currentNode))
        .min(Comparator.comparing(copy -> ExplainedCopy.isPlaced(state, copy)))
        .orElseThrow(
            () -> illegal("unable to find a replica shard assigned to node [" + currentNode + "]"));
  }

  /** Returns the first matching copy, primaries first. */
  private static ExplainedCopy anyUnassigned(ClusterState state, Predicate<CopyRouting> wanted) {
    ExplainedCopy found = null;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (wanted.test(copy) && (found == null || copy.primary())) {
            if (copy.primary()) {
              return new ExplainedCopy(index, shard, copy);
            }
            found = new ExplainedCopy(index, shard, copy);
          }
        }
      }
    }
    if (found == null) {
      throw illegal(
          "unable to find any unassigned shards to explain"
              + " [ClusterAllocationExplainRequest[useAnyUnassignedShard=true]");
    }
    return found;
  }
}
