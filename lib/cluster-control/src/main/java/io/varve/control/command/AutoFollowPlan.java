package io.varve.control.command;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Computes the steps that the auto-follow patterns of a cluster require, given the state of a
 * remote cluster.
 *
 * <pre>
 *   not matched, closed, red, handled        nothing: a later state may differ
 *   comes from this cluster                  nothing: see {@link FollowerIndex#refusedLoop}
 *   matched by several active patterns       an error
 *   followed here already                    handled
 *   otherwise                                followed, then handled
 *   handled, and deleted in its own cluster  no longer handled
 * </pre>
 *
 * <p>Pure functions of two states. They compare the actual state with the wanted one, so they may
 * be repeated at any time. If the leading coordinator changes after a follower was created and
 * before it was recorded as handled, the next one finds the follower and records it.
 */
public final class AutoFollowPlan {

  private AutoFollowPlan() {}

  /** One step for one pattern. */
  public sealed interface Step {

    String pattern();

    /** Follow the index. */
    record Follow(String pattern, IndexMetadata leader, ClusterCommand.CreateIndex command)
        implements Step {}

    /** Change the pattern's record of handled indices. */
    record Handled(String pattern, List<String> added, List<String> removed) implements Step {

      public ClusterCommand.HandleAutoFollow command() {
        return new ClusterCommand.HandleAutoFollow(pattern, added, removed);
      }
    }

    /** Report that this pattern can't follow the index until a user changes the configuration. */
    record Refused(String pattern, String leaderIndex, ErrorBody reason) implements Step {}
  }

  /**
   * @param own the state of the cluster that has the patterns
   * @param remoteCluster the alias of the other cluster
   * @param leaders the state of the other cluster
   */
  public static List<Step> steps(ClusterState own, String remoteCluster, ClusterState leaders) {
    Map<String, AutoFollowPattern> active =
        own.autoFollow().entrySet().stream()
            .filter(entry -> entry.getValue().active())
            .filter(entry -> entry.getValue().remoteCluster().equals(remoteCluster))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    List<Step> steps = new ArrayList<>();
    active.keySet().stream()
        .sorted()
        .forEach(name -> {
          deleted(name, active.get(name), leaders).ifPresent(steps::add);
          for (IndexMetadata leader : leaders.indices().values()) {
            step(own, remoteCluster, leaders, active, name, leader).ifPresent(steps::add);
          }
        });
    return steps;
  }

  private static Optional<Step> deleted(
      String name, AutoFollowPattern pattern, ClusterState leaders) {
    List<String> deleted =
        pattern.handled().stream().filter(uuid -> leaders.index(uuid).isEmpty()).toList();
    return deleted.isEmpty()
        ? Optional.empty()
        : Optional.of(new Step.Handled(name, List.of(), deleted));
  }

  private static Optional<Step> step(
      ClusterState own,
      String remoteCluster,
      ClusterState leaders,
      Map<String, AutoFollowPattern> active,
      String name,
      IndexMetadata leader) {
    AutoFollowPattern pattern = active.get(name);
    if (pattern == null
        || !pattern.matches(leader.name())
        || pattern.handled().contains(leader.uuid())
        || FollowerIndex.refusedLeader(leader).isPresent()
        || FollowerIndex.refusedLoop(own, leader).isPresent()) {
      return Optional.empty();
    }
    if (isFollowed(own, remoteCluster, leader)) {
      return Optional.of(new Step.Handled(name, List.of(leader.uuid()), List.of()));
    }
    List<String> others =
        active.keySet().stream()
            .filter(other -> !other.equals(name) && active.get(other).matches(leader.name()))
            .sorted()
            .toList();
    if (!others.isEmpty()) {
      return Optional.of(new Step.Refused(name, leader.name(), conflict(leader, name, others)));
    }
    return Optional.of(
        new Step.Follow(
            name,
            leader,
            FollowerIndex.create(
                pattern.followerOf(leader.name()),
                remoteCluster,
                leaders.clusterUuid(),
                leader,
                pattern.settings(),
                pattern.parameters())));
  }

  private static boolean isFollowed(ClusterState own, String remoteCluster, IndexMetadata leader) {
    return own.indices().values().stream()
        .map(IndexMetadata::follow)
        .anyMatch(follow ->
            follow != null
                && follow.remoteCluster().equals(remoteCluster)
                && follow.leaderUuid().equals(leader.uuid()));
  }

  private static ErrorBody conflict(IndexMetadata leader, String name, List<String> others) {
    return ErrorBody.of(
        500,
        "exception",
        "index to follow ["
            + leader.name()
            + "] for pattern ["
            + name
            + "] matches with other patterns ["
            + String.join(",", others)
            + "]");
  }
}
