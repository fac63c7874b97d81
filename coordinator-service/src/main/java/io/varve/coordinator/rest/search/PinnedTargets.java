package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.access.Access;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.rpc.ErrorBody;
import io.varve.search.ShardFailure;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a scroll or a point in time, each with the copy on which its reader was opened.
 *
 * @param gone a failure, to be reported in the response, for each shard whose index or copy no
 *     longer exists
 */
record PinnedTargets(List<Target> targets, List<ShardFailure> gone) {

  /**
   * @param slice the slice to search, or null for all; slices are computed from the shards at the
   *     time of opening, so that a lost shard does not move documents to another slice
   */
  static PinnedTargets of(ClusterState state, SearchContextId id, @Nullable Slice slice) {
    Access access = Access.current();
    Map<String, Integer> shards = new HashMap<>();
    id.shards().forEach(member -> shards.merge(member.shard().indexUuid(), 1, Integer::sum));
    Map<String, Integer> seen = new HashMap<>();
    List<Target> targets = new ArrayList<>();
    List<ShardFailure> gone = new ArrayList<>();
    for (int i = 0; i < id.shards().size(); i++) {
      Member member = id.shards().get(i);
      String uuid = member.shard().indexUuid();
      int ordinal = seen.merge(uuid, 1, Integer::sum) - 1;
      Slice.Share share =
          slice == null
              ? new Slice.Share.Everything()
              : slice.of(ordinal, shards.getOrDefault(uuid, 1));
      if (share instanceof Slice.Share.Nothing) {
        continue;
      }
      Optional<IndexMetadata> index = state.index(uuid);
      // The client supplies the id, which may therefore name copies of any index.
      index.ifPresent(known -> access.require(state, known.name()));
      Optional<ShardRouting> shard =
          state
              .shard(member.shard())
              .filter(routing ->
                  routing.copies().stream()
                      .anyMatch(copy -> copy.started() && copy.isOn(member.nodeId())));
      if (index.isPresent() && shard.isPresent()) {
        Slice.Share.Part part = share instanceof Slice.Share.Part cut ? cut : null;
        targets.add(
            new Target(index.get(), shard.get(), i, part, member.nodeId(), member.filter()));
      } else {
        gone.add(
            new ShardFailure(
                member.index(), member.shard().number(), member.nodeId(), missing(id.context())));
      }
    }
    return new PinnedTargets(targets, gone);
  }

  static ErrorBody missing(String context) {
    return ErrorBody.of(
        404,
        "search_context_missing_exception",
        "No search context found for id [" + context + "]");
  }
}
