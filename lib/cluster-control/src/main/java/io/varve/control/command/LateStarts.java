package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.Optional;

/**
 * Whether a report of a start is older than the membership of its node. While a node is absent, no
 * write and no primary waits for its copies. A start that was proven before the node joined is
 * therefore not sufficient: the node proves the start again and repeats the report.
 *
 * <pre>
 *   the join of the node     the report is proven from     verdict
 *   is not recorded          anything                      accepted
 *   version n                version n or later            accepted
 *   version n                an earlier version, or none   refused with 409
 * </pre>
 *
 * <p>Joins are recorded from the level of {@code MEMBER_SINCE} on. From that level on, every member
 * names a version; a report without one was made when its node knew a lower level. Pure.
 */
final class LateStarts {

  private LateStarts() {}

  /** Why the report is refused; empty if it is not. */
  static Optional<ErrorBody> refusal(ClusterState state, ClusterCalls.CopyStarted news) {
    long provenFrom = news.provenFrom() == null ? 0 : news.provenFrom();
    return state
        .shard(news.shard())
        .flatMap(s -> s.copy(news.copyId()).or(() -> target(s.relocationTo(news.copyId()))))
        .map(CopyRouting::nodeId)
        .filter(nodeId -> provenFrom < state.memberSince().getOrDefault(nodeId, 0L))
        .map(nodeId ->
            ErrorBody.of(
                409,
                "illegal_state_exception",
                ("the copy [%s] of %s proved its start from version [%d] on,"
                        + " and its node [%s] joined at version [%d]")
                    .formatted(
                        news.copyId(),
                        news.shard(),
                        provenFrom,
                        nodeId,
                        state.memberSince().get(nodeId))));
  }

  private static Optional<CopyRouting> target(Optional<Relocation> relocation) {
    return relocation.map(Relocation::target);
  }
}
