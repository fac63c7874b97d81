package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Orders the reopening of a follower's copies after a static setting has changed, so that searches
 * continue. {@link FollowStatus#copiesToReopen} lists the copies that are left.
 *
 * <pre>
 *   a copy that was reopened is not active yet         wait
 *   a copy of the shard is not active or relocates    that shard waits; other shards continue
 *   a replica or search-only copy is left              reopen it, under a new copy id
 *   only the primary of the shard is left              reopen it, under the next term
 *   a listed copy is unassigned or gone                nothing: it opens with the new settings
 *   the index is closed                                nothing: all copies open with them
 *   the index is promoted                              all replicas that are left at once, because
 *                                                      no list of them remains; primaries reopen
 *                                                      under their next term in any case
 * </pre>
 *
 * INVARIANT: at most one copy of a follower is being reopened, and each other copy of its shard is
 * active. If a reopened copy fails, it is unassigned, and the others keep serving. A shard with a
 * single copy answers no searches while that copy is reopened.
 *
 * <p>Each step is one event with the shortened list, so it survives a change of the leading
 * coordinator. A reopened copy keeps its files. Pure functions of the state.
 */
public final class FollowerReopening {

  private FollowerReopening() {}

  /** The ids of all copies and relocation targets of the index that are on a node. */
  static List<String> open(IndexMetadata index) {
    return index.shards().stream()
        .flatMap(shard -> shard.everywhere().stream())
        .filter(copy -> copy.nodeId() != null)
        .map(CopyRouting::copyId)
        .toList();
  }

  /** The steps that can be taken now. */
  public static List<ClusterCommand.ReopenCopy> due(ClusterState state) {
    return state.indices().values().stream()
        .filter(index -> !left(index).isEmpty())
        .map(index -> new ClusterCommand.ReopenCopy(index.uuid()))
        .filter(step -> step(state, step, () -> "").isPresent())
        .toList();
  }

  private static List<String> left(IndexMetadata index) {
    FollowRelation follow = index.follow();
    return follow == null ? List.of() : follow.currentStatus().copiesToReopen();
  }

  /**
   * @param ids new ids for copies
   */
  static Decision next(
      ClusterState state, ClusterCommand.ReopenCopy request, Supplier<String> ids) {
    return step(state, request, ids).map(Decision::of).orElseGet(Decision::nothing);
  }

  private static Optional<ClusterEvent> step(
      ClusterState state, ClusterCommand.ReopenCopy request, Supplier<String> ids) {
    IndexMetadata index = state.index(request.indexUuid()).orElse(null);
    if (index == null || left(index).isEmpty()) {
      return Optional.empty();
    }
    List<String> open = index.closed() ? List.of() : open(index);
    List<String> listed = left(index).stream().filter(open::contains).toList();
    if (listed.isEmpty()) {
      return Optional.of(status(index, List.of()));
    }
    boolean reopening =
        index.shards().stream()
            .flatMap(shard -> shard.everywhere().stream())
            .anyMatch(copy ->
                copy.nodeId() != null && !listed.contains(copy.copyId()) && !state.active(copy));
    return reopening
        ? Optional.empty()
        : index.shards().stream()
            .filter(shard -> isReady(state, shard))
            .flatMap(shard ->
                next(shard, listed).stream().map(copy -> step(index, shard, copy, listed, ids)))
            .findFirst();
  }

  /** The events that reopen all replicas that are left, when the index no longer follows. */
  static List<ClusterEvent> remaining(IndexMetadata index, Supplier<String> ids) {
    List<ClusterEvent> events = new ArrayList<>();
    for (ShardRouting shard : index.shards()) {
      for (CopyRouting copy : shard.copies()) {
        String nodeId = copy.nodeId();
        if (nodeId != null && !copy.primary() && left(index).contains(copy.copyId())) {
          events.add(
              new ClusterEvent.ReplicaAssigned(shard.shard(), copy.copyId(), ids.get(), nodeId));
        }
      }
    }
    return events;
  }

  private static boolean isReady(ClusterState state, ShardRouting shard) {
    return shard.relocations().isEmpty()
        && shard.copies().stream().filter(copy -> copy.nodeId() != null).allMatch(state::active);
  }

  /** The primary last. */
  private static Optional<CopyRouting> next(ShardRouting shard, List<String> listed) {
    List<CopyRouting> left =
        shard.copies().stream().filter(copy -> listed.contains(copy.copyId())).toList();
    return left.stream()
        .filter(copy -> !copy.primary())
        .findFirst()
        .or(() -> left.stream().findFirst());
  }

  private static ClusterEvent step(
      IndexMetadata index,
      ShardRouting shard,
      CopyRouting copy,
      List<String> listed,
      Supplier<String> ids) {
    String nodeId = Objects.requireNonNull(copy.nodeId(), "a listed copy is on a node");
    List<String> rest = new ArrayList<>(listed);
    rest.remove(copy.copyId());
    return ClusterEvent.together(
        List.of(
            copy.primary()
                ? new ClusterEvent.PrimaryAssigned(
                    shard.shard(), copy.copyId(), nodeId, shard.newestTerm() + 1)
                : new ClusterEvent.ReplicaAssigned(shard.shard(), copy.copyId(), ids.get(), nodeId),
            status(index, rest)));
  }

  private static ClusterEvent status(IndexMetadata index, List<String> rest) {
    FollowStatus status = Objects.requireNonNull(index.follow()).currentStatus();
    return new ClusterEvent.FollowStatusChanged(index.uuid(), status.withCopiesToReopen(rest));
  }
}
