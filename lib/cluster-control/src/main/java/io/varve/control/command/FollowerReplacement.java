package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Replacement;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a successor replaces a follower that lost its leader's history.
 *
 * <pre>
 *   follower --LostHistory--> follower and successor    the successor is hidden, has its own topics,
 *                                                       and starts with the leader's segments
 *            --all primaries of the successor are started--> successor    under the follower's name
 *                                                            and follower under the hidden name
 *            --a pause, in which searches end--> successor
 * </pre>
 *
 * <p>If the successor also loses its leader's history, or the leader index is created again in the
 * meantime, another successor replaces it.
 *
 * <p>The follower answers searches until its successor takes the name. A successor never replays
 * the leader's log, so a started primary has the whole content of the leader's manifest that was
 * copied. A paused or closed follower is replaced only once it is active again. A successor is
 * deleted if its follower is deleted or unfollowed.
 *
 * <p>Settings and mapping are derived as in {@link FollowerIndex}; settings that are not replicated
 * are taken from the follower. Pure functions of the state.
 */
public final class FollowerReplacement {

  static final String PREFIX = ".rebootstrap-";
  private static final int MOST_NAME_CHARACTERS = 200;

  /**
   * The successor to create.
   *
   * @param outdated an earlier successor, which has another leader index or has also lost its
   *     leader's history; it is deleted in the same step. Null if there is none
   */
  record Successor(
      ClusterCommand.CreateIndex index, FollowRelation follow, @Nullable IndexMetadata outdated) {

    Successor(ClusterCommand.CreateIndex index, FollowRelation follow) {
      this(index, follow, null);
    }
  }

  private FollowerReplacement() {}

  /** Throws an {@link ApiException} if the follower can't be replaced now. */
  static Successor successor(ClusterState state, ClusterCalls.LostHistory news) {
    IndexMetadata reported = known(state, news.indexUuid());
    IndexMetadata follower =
        replacedUuid(reported).map(uuid -> known(state, uuid)).orElse(reported);
    FollowRelation follow = follower.follow();
    if (!state.has(Feature.FOLLOWER_BOOTSTRAP)
        || follow == null
        || follow.paused()
        || follow.hasSuccessor()) {
      throw new ApiException(
          ErrorBody.illegalArgument("index [" + follower.name() + "] can't be replaced now"));
    }
    IndexMetadata outdated = successorOf(state, follower).orElse(null);
    if (outdated != null && !outdated.equals(reported) && isOf(outdated, news.leaderUuid())) {
      throw new ApiException(
          400,
          "resource_already_exists_exception",
          "a successor of [" + follower.name() + "] exists already");
    }
    return new Successor(
        new ClusterCommand.CreateIndex(
            name(PREFIX, follower.name()),
            settings(follower, news.leaderSettings()),
            news.leaderMapping(),
            new ClusterCommand.Follow(
                follow.remoteCluster(),
                follow.leaderIndex(),
                news.leaderUuid(),
                follow.parameters())),
        Replacement.begin(follower.uuid(), follow, news.leaderUuid()),
        outdated);
  }

  private static IndexMetadata known(ClusterState state, String uuid) {
    return state.index(uuid).orElseThrow(() -> new ApiException(IndexDecisions.missing(uuid)));
  }

  private static boolean isOf(IndexMetadata successor, String leaderUuid) {
    FollowRelation follow = successor.follow();
    return follow != null && follow.leaderUuid().equals(leaderUuid);
  }

  /** The settings of an index that replaces {@code replaced}: replicated ones are the leader's. */
  static Map<String, @Nullable String> settings(
      IndexMetadata replaced, Map<String, String> leaderSettings) {
    Map<String, @Nullable String> settings = new TreeMap<>(replaced.settings());
    settings.keySet().removeIf(name -> IndexSettings.isReplicated(name) || isAssigned(name));
    settings.putAll(IndexSettings.replicated(leaderSettings));
    settings.put(
        IndexSettings.NUMBER_OF_SHARDS,
        leaderSettings.getOrDefault(IndexSettings.NUMBER_OF_SHARDS, "1"));
    settings.put(IndexSettings.HIDDEN, "true");
    return settings;
  }

  private static boolean isAssigned(String name) {
    return List.of(
            IndexSettings.UUID,
            IndexSettings.CREATION_DATE,
            IndexSettings.PROVIDED_NAME,
            IndexSettings.VERSION_CREATED)
        .contains(name);
  }

  /** The hidden name of the index that replaces {@code replaced}. */
  static String name(String prefix, String replaced) {
    return prefix + replaced.substring(0, Math.min(replaced.length(), MOST_NAME_CHARACTERS));
  }

  /** The index that will replace {@code replaced}, if there is one. */
  static Optional<IndexMetadata> successorOf(ClusterState state, IndexMetadata replaced) {
    return successors(state)
        .filter(index -> replacedUuid(index).filter(replaced.uuid()::equals).isPresent())
        .findFirst();
  }

  private static Stream<IndexMetadata> successors(ClusterState state) {
    return state.indices().values().stream().filter(index -> replacedUuid(index).isPresent());
  }

  /** Followers that were replaced; searches may still read them. */
  public static List<ClusterCommand.EndReplacement> replaced(ClusterState state) {
    return state.indices().values().stream()
        .filter(FollowerReplacement::isReplaced)
        .map(index -> new ClusterCommand.EndReplacement(index.uuid()))
        .toList();
  }

  private static boolean isReplaced(IndexMetadata index) {
    FollowRelation follow = index.follow();
    return follow != null && follow.hasSuccessor();
  }

  private static boolean isFailback(IndexMetadata index) {
    return Optional.ofNullable(index.follow()).flatMap(FollowRelation::failback).isPresent();
  }

  /** Whether all primaries are started. */
  static boolean isStarted(ClusterState state, IndexMetadata index) {
    return index.shards().stream().map(ShardRouting::primary).allMatch(state::active);
  }

  private static Optional<String> replacedUuid(IndexMetadata index) {
    return Optional.ofNullable(index.follow()).flatMap(FollowRelation::replaces);
  }

  /** The replacements that can be ended now. */
  public static List<ClusterCommand.EndReplacement> due(ClusterState state) {
    return successors(state)
        .filter(successor -> event(state, successor).isPresent())
        .map(successor -> new ClusterCommand.EndReplacement(successor.uuid()))
        .toList();
  }

  static Decision end(ClusterState state, ClusterCommand.EndReplacement request) {
    return state
        .index(request.indexUuid())
        .flatMap(successor -> event(state, successor))
        .map(Decision::of)
        .orElseGet(Decision::nothing);
  }

  private static Optional<ClusterEvent> event(ClusterState state, IndexMetadata index) {
    if (isReplaced(index)) {
      return Optional.of(new ClusterEvent.IndexDeleted(index.uuid()));
    }
    Optional<String> uuid = replacedUuid(index);
    if (uuid.isEmpty()) {
      return Optional.empty();
    }
    IndexMetadata follower = state.index(uuid.get()).orElse(null);
    if (isFailback(index)) {
      return FailbackDecisions.event(state, follower, index);
    }
    FollowRelation follow = follower == null ? null : follower.follow();
    if (follower == null || follow == null) {
      return Optional.of(new ClusterEvent.IndexDeleted(index.uuid()));
    }
    boolean ready = !follow.paused() && !follower.closed() && isStarted(state, index);
    return ready
        ? Optional.of(new ClusterEvent.FollowerReplaced(follower.uuid(), index.uuid()))
        : Optional.empty();
  }
}
