package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * The same event replaces a former leader index ({@link Failback}) by an index, and deletes the
 * former leader index in the same step.
 *
 * @param replaces the uuid of the follower, which answers searches until this index replaces it;
 *     null for any other index
 * @param replacedBy the uuid of the index that replaced this one; null for any other index
 * @param total the number of replacements of followers of that name, including this one
 * @param failback null unless the index replaces a former leader index
 */
public record Replacement(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String replaces,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String replacedBy,
    long total,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Failback failback) {

  /** Settings that an index keeps from its creation. */
  private static final Set<String> OF_EACH_INDEX =
      Set.of(
          IndexSettings.UUID,
          IndexSettings.CREATION_DATE,
          IndexSettings.VERSION_CREATED,
          IndexSettings.NUMBER_OF_SHARDS,
          IndexSettings.REPLICATION_TYPE,
          IndexSettings.REMOTE_STORE);

  /** The replacement of a follower. */
  public Replacement(@Nullable String replaces, @Nullable String replacedBy, long total) {
    this(replaces, replacedBy, total, null);
  }

  /**
   * The relation of an index that replaces a former leader index to the promoted index.
   *
   * @param follow of a new follower of the promoted index
   */
  public static FollowRelation failback(FollowRelation follow, Failback failback) {
    return follow.withReplacement(
        follow.paused(), new Replacement(failback.formerUuid(), null, 0, failback));
  }

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
        new Replacement(followerUuid, null, follower.rebootstraps() + 1),
        null);
  }

  /** The indices after the successor replaced the follower; unchanged if one is missing. */
  static IndexTable swapped(ClusterState state, ClusterEvent.FollowerReplaced event) {
    IndexTable indices = IndexTable.of(state.indices());
    IndexMetadata follower = state.index(event.indexUuid()).orElse(null);
    IndexMetadata successor = state.index(event.successorUuid()).orElse(null);
    return follower == null || successor == null
        ? indices
        : indices.with(replaced(follower, successor)).with(inPlace(successor, follower));
  }

  /** The successor under the name of the follower, with the follower's current own settings. */
  private static IndexMetadata inPlace(IndexMetadata successor, IndexMetadata follower) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    Set<String> names = new TreeSet<>(successor.settings().keySet());
    names.addAll(follower.settings().keySet());
    for (String name : names) {
      if (!IndexSettings.isReplicated(name) && !OF_EACH_INDEX.contains(name)) {
        changes.put(name, follower.settings().get(name));
      }
    }
    FollowRelation follow = successor.follow();
    if (follow != null && follower.follow() != null) {
      follow = follow.withParameters(follower.follow().parameters());
    }
    return named(
        successor
            .withSettings(changes, successor.settingsVersion() + 1)
            .withFollow(
                follow == null
                    ? null
                    : follow.withReplacement(
                        follow.paused(),
                        new Replacement(
                            null, null, total(follow), follow.failback().orElse(null)))),
        follower.name(),
        new IndexMetadata.Access(follower.aliases(), follower.access().aliasesVersion(), false));
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
                    : follow
                        .asPaused()
                        .withReplacement(
                            true, new Replacement(null, successor.uuid(), total(follow)))),
        successor.name(),
        IndexMetadata.Access.OPEN);
  }

  private static long total(FollowRelation follow) {
    return follow.rebootstraps();
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
