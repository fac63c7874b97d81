package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.Optional;

/**
 * Whether a report of a start is older than the membership of its node. While a node is away, no
 * write and no primary waits for its copies, so what a copy proved before its node joined is not
 * enough: the node proves it anew and reports again.
 *
 * <pre>
 *   the join of the node     the report is proven from     verdict
 *   is not recorded          anything                      accepted
 *   version n                version n or later            accepted
 *   version n                an earlier version, or none   refused with 409
 * </pre>
 *
 * <p>Joins are recorded from the level of {@code MEMBER_SINCE} on, at which every member names a
 * version: a report without one was decided when its node knew a lower level. Pure.
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
