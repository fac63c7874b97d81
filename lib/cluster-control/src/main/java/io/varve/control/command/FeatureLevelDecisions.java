package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.FeatureLevels;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the cluster's feature level rises.
 *
 * <p>It rises to a level that each node of the cluster supports by its own last heartbeat. Nodes of
 * the cluster are its members (all roles, also those that are silent for less than the node
 * timeout) and the nodes that left while copies or pulls are still assigned to them. A node from
 * which no heartbeat has arrived since this coordinator started counts as one that does not support
 * the level. The level never goes down.
 */
public final class FeatureLevelDecisions {

  static final String NOT_SUPPORTED = "feature_level_not_supported_exception";

  private FeatureLevelDecisions() {}

  /** The reason for which a command is not allowed at the cluster's feature level, if any. */
  public static Optional<ErrorBody> refusal(ClusterState state, ClusterCommand command) {
    int required = command.requiredFeatureLevel();
    return required <= state.featureLevel()
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "this needs feature level ["
                    + required
                    + "], the cluster is at feature level ["
                    + state.featureLevel()
                    + "]; see POST /_cluster/feature_level"));
  }

  /**
   * @param supported the feature levels from each node's last heartbeat, by node id
   */
  static Decision raise(
      ClusterState state,
      ClusterCommand.RaiseFeatureLevel request,
      Map<String, FeatureLevels> supported) {
    int level = level(state, request, supported);
    return refusal(state, request, supported)
        .<Decision>map(Decision.Refused::new)
        .orElseGet(() ->
            level == state.featureLevel()
                ? Decision.nothing()
                : Decision.of(new ClusterEvent.FeatureLevelRaised(level)));
  }

  /**
   * The requested level, or else the highest common one. If no heartbeat of some node has arrived,
   * the result is the newest level, which {@link #refusal} refuses with the name of that node.
   */
  private static int level(
      ClusterState state,
      ClusterCommand.RaiseFeatureLevel request,
      Map<String, FeatureLevels> supported) {
    Integer wanted = request.featureLevel();
    return wanted == null ? highestCommon(state, supported).orElse(FeatureLevels.NEWEST) : wanted;
  }

  /** The reason for which the level can't rise as requested, if any. */
  public static Optional<ErrorBody> refusal(
      ClusterState state,
      ClusterCommand.RaiseFeatureLevel request,
      Map<String, FeatureLevels> supported) {
    int level = level(state, request, supported);
    if (level == state.featureLevel()) {
      return Optional.empty();
    }
    if (level < state.featureLevel()) {
      return Optional.of(
          ErrorBody.illegalArgument(
              "[feature_level] can't go down from [%d] to [%d]"
                  .formatted(state.featureLevel(), level)));
    }
    if (level > FeatureLevels.NEWEST) {
      return Optional.of(
          ErrorBody.illegalArgument(
              "[feature_level] must be at most [%d], the newest of this release, was [%d]"
                  .formatted(FeatureLevels.NEWEST, level)));
    }
    List<String> lacking = lacking(state, level, supported);
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ErrorBody.of(
                409,
                NOT_SUPPORTED,
                "feature level [" + level + "] is not supported by " + String.join(", ", lacking)));
  }

  private static List<String> lacking(
      ClusterState state, int level, Map<String, FeatureLevels> supported) {
    List<String> lacking = new ArrayList<>();
    for (String nodeId : nodeIds(state)) {
      FeatureLevels levels = supported.get(nodeId);
      if (levels == null || !levels.contain(level)) {
        lacking.add(
            "node ["
                + state.node(nodeId).map(NodeInfo::name).orElse(nodeId)
                + "] ("
                + (levels == null
                    ? "not heard yet, so its feature levels are not known"
                    : "supports feature " + levels)
                + ")");
      }
    }
    return lacking;
  }

  /**
   * The highest level that all nodes of the cluster support; empty if no heartbeat of some node has
   * arrived.
   */
  public static OptionalInt highestCommon(
      ClusterState state, Map<String, FeatureLevels> supported) {
    int highest = FeatureLevels.NEWEST;
    for (String nodeId : nodeIds(state)) {
      FeatureLevels levels = supported.get(nodeId);
      if (levels == null) {
        return OptionalInt.empty();
      }
      highest = Math.min(highest, levels.max());
    }
    return OptionalInt.of(highest);
  }

  /** All members, and absent nodes to which copies or pulls are assigned. */
  static Set<String> nodeIds(ClusterState state) {
    Set<String> ids = new TreeSet<>(state.nodes().keySet());
    for (IndexMetadata index : state.indices().values()) {
      FollowRelation follow = index.follow();
      if (follow != null) {
        addKnown(ids, follow.nodeId());
      }
      for (ShardRouting shard : index.shards()) {
        shard.everywhere().stream().map(CopyRouting::nodeId).forEach(id -> addKnown(ids, id));
      }
    }
    return ids;
  }

  private static void addKnown(Set<String> ids, @Nullable String nodeId) {
    if (nodeId != null) {
      ids.add(nodeId);
    }
  }
}
