package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The role of an index in the replacement of a follower that lost its leader's history.
 *
 * <pre>
 *   successor   replaces = follower's uuid        hidden, copies the leader's segments
 *   --FollowerReplaced-->
 *   successor   neither                           has the follower's name and aliases
 *   follower    replacedBy = successor's uuid     hidden and paused, soon deleted
 * </pre>
 *
 * @param replaces the uuid of the follower, which answers searches until this index takes its
 *     place; null for any other index
 * @param replacedBy the uuid of the index that took the place of this one; null for any other index
 * @param total the number of replacements of followers of that name, including this one
 */
public record Replacement(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String replaces,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String replacedBy,
    long total) {

  /** The relation of a follower's successor to the leader index. */
  public static FollowRelation begin(
      String followerUuid, FollowRelation follower, String leaderUuid) {
    return new FollowRelation(
        follower.remoteCluster(),
        follower.leaderIndex(),
        leaderUuid,
        null,
        0,
        follower.parameters(),
        false,
        follower.origins(),
        new Replacement(followerUuid, null, follower.rebootstraps() + 1));
  }

  /** The indices after the successor took the follower's place; unchanged if one is missing. */
  static Map<String, IndexMetadata> swapped(
      ClusterState state, ClusterEvent.FollowerReplaced event) {
    Map<String, IndexMetadata> indices = new TreeMap<>(state.indices());
    IndexMetadata follower = state.index(event.indexUuid()).orElse(null);
    IndexMetadata successor = state.index(event.successorUuid()).orElse(null);
    if (follower != null && successor != null) {
      indices.put(successor.name(), replaced(follower, successor));
      indices.put(follower.name(), inPlace(successor, follower));
    }
    return indices;
  }

  /** The successor under the name of the follower. */
  private static IndexMetadata inPlace(IndexMetadata successor, IndexMetadata follower) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    for (String name : List.of(IndexSettings.HIDDEN, IndexSettings.PROVIDED_NAME)) {
      changes.put(name, follower.settings().get(name));
    }
    FollowRelation follow = successor.follow();
    return named(
        successor
            .withSettings(changes, successor.settingsVersion() + 1)
            .withFollow(
                follow == null
                    ? null
                    : with(follow, follow.paused(), new Replacement(null, null, total(follow)))),
        follower.name(),
        follower.access());
  }

  /** The follower under the hidden name of its successor. */
  private static IndexMetadata replaced(IndexMetadata follower, IndexMetadata successor) {
    FollowRelation follow = follower.follow();
    return named(
        follower
            .withSettings(Map.of(IndexSettings.HIDDEN, "true"), follower.settingsVersion() + 1)
            .withFollow(
                follow == null
                    ? null
                    : with(
                        follow.asPaused(),
                        true,
                        new Replacement(null, successor.uuid(), total(follow)))),
        successor.name(),
        IndexMetadata.Access.OPEN);
  }

  private static long total(FollowRelation follow) {
    return follow.rebootstraps();
  }

  private static FollowRelation with(
      FollowRelation follow, boolean paused, Replacement replacement) {
    return new FollowRelation(
        follow.remoteCluster(),
        follow.leaderIndex(),
        follow.leaderUuid(),
        follow.nodeId(),
        follow.assignment(),
        follow.parameters(),
        paused,
        follow.origins(),
        replacement);
  }

  private static IndexMetadata named(
      IndexMetadata index, String name, IndexMetadata.Access access) {
    return new IndexMetadata(
        name,
        index.uuid(),
        index.createdMillis(),
        index.settings(),
        index.settingsVersion(),
        index.mapping(),
        index.mappingVersion(),
        index.follow(),
        index.shards(),
        access,
        index.leases(),
        index.fork());
  }
}
