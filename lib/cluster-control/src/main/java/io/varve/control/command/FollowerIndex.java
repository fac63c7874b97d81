package io.varve.control.command;

import io.varve.cluster.FollowParameters;
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
 * Rules on a follower index and its leader index, which another cluster has.
 *
 * <pre>
 *   settings of a follower = replicated settings of its leader index, and its number of shards,
 *                            then those of the request, which must not be replicated ones
 * </pre>
 *
 * The mapping is the leader's. Shards and routing shards are the same, so that a document is in the
 * shard of the same number. Types and texts are Elasticsearch's.
 */
public final class FollowerIndex {

  static final String MUST_BE_OPEN = "leader and follow index must be open";

  private FollowerIndex() {}

  /** The reason for which the settings (full names) of a request to follow are refused, if any. */
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

  /** The reason for which this index can't be followed from now on, if any. */
  public static Optional<ErrorBody> refusedLeader(IndexMetadata leader) {
    if (leader.closed()) {
      return Optional.of(IndexBlocks.closed(leader));
    }
    boolean red =
        leader.shards().stream().anyMatch(shard -> !shard.released() && !shard.primary().started());
    return red
        ? Optional.of(ErrorBody.illegalArgument("no index stats available for the leader index"))
        : Optional.empty();
  }

  /**
   * The command that creates the follower.
   *
   * @param requested settings (full names) of the request
   * @param parameters null for the defaults
   */
  public static ClusterCommand.CreateIndex create(
      String name,
      String remoteCluster,
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
        new ClusterCommand.Follow(remoteCluster, leader.name(), leader.uuid(), parameters));
  }

  /** The reason for which the follower can't go on pulling from this index, if any. */
  public static Optional<ErrorBody> refusalToResume(
      IndexMetadata follower, IndexMetadata.Follow follow, IndexMetadata leader) {
    return differentIndex(follower, follow, leader)
        .or(() -> differentShards(follower, leader))
        .or(() -> differentRouting(follower, leader))
        .or(() ->
            leader.closed() || follower.closed() ? Optional.of(MUST_BE_OPEN) : Optional.empty())
        .map(ErrorBody::illegalArgument);
  }

  private static Optional<String> differentIndex(
      IndexMetadata follower, IndexMetadata.Follow follow, IndexMetadata leader) {
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
