package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.rpc.ErrorBody;
import io.varve.search.ShardFailure;
import java.util.List;
import java.util.Optional;

/** The shards of a scroll or a point in time, each on the copy on which it was opened. */
final class PinnedTargets {

  private PinnedTargets() {}

  /** Shards whose index or copy is no more become failures. */
  static void of(
      ClusterState state, SearchContextId id, List<Target> targets, List<ShardFailure> gone) {
    for (int i = 0; i < id.shards().size(); i++) {
      Member member = id.shards().get(i);
      Optional<IndexMetadata> index = state.index(member.shard().indexUuid());
      Optional<ShardRouting> shard =
          state
              .shard(member.shard())
              .filter(routing ->
                  routing.copies().stream()
                      .anyMatch(copy -> copy.started() && copy.isOn(member.nodeId())));
      if (index.isPresent() && shard.isPresent()) {
        targets.add(
            new Target(index.get(), shard.get(), i, null, member.nodeId(), member.filter()));
      } else {
        gone.add(
            new ShardFailure(
                member.index(), member.shard().number(), member.nodeId(), missing(id.context())));
      }
    }
  }

  static ErrorBody missing(String context) {
    return ErrorBody.of(
        404,
        "search_context_missing_exception",
        "No search context found for id [" + context + "]");
  }
}
