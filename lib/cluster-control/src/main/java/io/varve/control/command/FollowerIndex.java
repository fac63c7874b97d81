package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.events.Json;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an index of another cluster can be followed, and derives the follower index from
 * it.
 *
 * <pre>
 *   settings of a follower = replicated settings of its leader index, and its number of shards,
 *                            then those of the request, which must not be replicated ones
 * </pre>
 *
 * The mapping is the leader's. The numbers of shards and routing shards are also the leader's, so a
 * document is in the shard of the same number. Error types and texts are Elasticsearch's.
 */
public final class FollowerIndex {

  static final String MUST_BE_OPEN = "leader and follow index must be open";

  private FollowerIndex() {}

  /** The reason to refuse the settings (full names) of a follow request, if there is one. */
  public static Optional<ErrorBody> refusedSettings(Map<String, @Nullable String> requested) {
    Map<String, @Nullable String> overriding = new TreeMap<>(requested);
    overriding.keySet().removeIf(name -> !IndexSettings.isReplicated(name));
    List<String> unknown =
        overriding.keySet().stream().filter(name -> IndexSettings.find(name).isEmpty()).toList();
    if (overriding.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ErrorBody.illegalArgument(
            unknown.isEmpty()
                ? "can not put follower index that could override leader settings "
                    + Json.mapper().writeValueAsString(overriding)
                : "unknown setting"
                    + (unknown.size() == 1 ? "" : "s")
                    + " ["
                    + String.join(",", unknown)
                    + "]"));
  }

  /** The reason for which an index can't be restored from the segment store, if any. */
  public static Optional<ErrorBody> refusalToRestore(IndexMetadata stored) {
    return stored.follow() == null
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "cannot restore index ["
                    + stored.name()
                    + "] because it followed an index of another cluster; follow that index"
                    + " again"));
  }

  /** The reason why following this index can't begin, if there is one. */
  public static Optional<ErrorBody> refusedLeader(IndexMetadata leader) {
    if (leader.closed()) {
      return Optional.of(IndexBlocks.closed(leader));
    }
    FollowRelation follow = leader.follow();
    if (follow != null && follow.beingReplaced()) {
      return Optional.of(
          ErrorBody.illegalArgument(
              "cannot follow [" + leader.name() + "], because it replaces a follower index"));
    }
    boolean red =
        leader.shards().stream().anyMatch(shard -> !shard.released() && !shard.primary().started());
    return red
        ? Optional.of(ErrorBody.illegalArgument("no index stats available for the leader index"))
        : Optional.empty();
  }

  /**
   * The reason to refuse a loop: this index follows, directly or through others, an index of this
   * cluster, so operations would return to the cluster from which they come. Empty if there is no
   * loop.
   */
  public static Optional<ErrorBody> refusedLoop(ClusterState own, IndexMetadata leader) {
    FollowRelation follow = leader.follow();
    if (follow == null) {
      return Optional.empty();
    }
    boolean isLoop =
        own.index(follow.leaderUuid()).isPresent()
            || (follow.origins() != null
                && follow.origins().stream()
                    .anyMatch(origin -> origin.clusterUuid().equals(own.clusterUuid())));
    return isLoop
        ? Optional.of(
            ErrorBody.illegalArgument(
                "cannot follow ["
                    + leader.name()
                    + "], because it follows an index of this cluster ["
                    + own.clusterName()
                    + "]"))
        : Optional.empty();
  }

  /**
   * The command that creates the follower.
   *
   * @param leaderCluster the uuid of the leader's cluster
   * @param requested settings (full names) of the request
   * @param parameters null for the defaults
   */
  public static ClusterCommand.CreateIndex create(
      String name,
      String remoteCluster,
      String leaderCluster,
      IndexMetadata leader,
      Map<String, @Nullable String> requested,
      @Nullable FollowParameters parameters) {
    Map<String, @Nullable String> settings =
        new TreeMap<>(IndexSettings.replicated(leader.settings()));
    settings.put(IndexSettings.NUMBER_OF_SHARDS, Integer.toString(leader.numberOfShards()));
    settings.putAll(requested);
    return new ClusterCommand.CreateIndex(
        name,
        settings,
        leader.mapping(),
        new ClusterCommand.Follow(
            remoteCluster,
            leader.name(),
            leader.uuid(),
            parameters,
            FollowOrigin.of(leaderCluster, leader)));
  }

  /** The reason why the follower can't continue to pull from this index, if there is one. */
  public static Optional<ErrorBody> refusalToResume(
      IndexMetadata follower, FollowRelation follow, IndexMetadata leader) {
    return differentIndex(follower, follow, leader)
        .or(() -> differentShards(follower, leader))
        .or(() -> differentRouting(follower, leader))
        .or(() ->
            leader.closed() || follower.closed() ? Optional.of(MUST_BE_OPEN) : Optional.empty())
        .map(ErrorBody::illegalArgument);
  }

  private static Optional<String> differentIndex(
      IndexMetadata follower, FollowRelation follow, IndexMetadata leader) {
    return follow.leaderUuid().equals(leader.uuid())
        ? Optional.empty()
        : Optional.of(
            "follow index ["
                + follower.name()
                + "] should reference ["
                + leader.uuid()
                + "] as leader index but instead reference ["
                + follow.leaderUuid()
                + "] as leader index");
  }

  private static Optional<String> differentShards(IndexMetadata follower, IndexMetadata leader) {
    return leader.numberOfShards() == follower.numberOfShards()
        ? Optional.empty()
        : Optional.of(
            "leader index primary shards ["
                + leader.numberOfShards()
                + "] does not match with the number of shards of the follow index ["
                + follower.numberOfShards()
                + "]");
  }

  private static Optional<String> differentRouting(IndexMetadata follower, IndexMetadata leader) {
    String leaders = leader.settings().get(IndexSettings.NUMBER_OF_ROUTING_SHARDS);
    String followers = follower.settings().get(IndexSettings.NUMBER_OF_ROUTING_SHARDS);
    return Objects.equals(leaders, followers)
        ? Optional.empty()
        : Optional.of(
            "leader index number_of_routing_shards ["
                + leaders
                + "] does not match with the number_of_routing_shards of the follow index ["
                + followers
                + "]");
  }
}
