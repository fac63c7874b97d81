package io.varve.host.http;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.Objects;

/**
 * The role that a data node claims when it sends a request that changes a copy on another node:
 *
 * <pre>
 *   the primary of the shard   the node has the primary, or the copy that takes over from it
 *   a copy of the shard        the copy with this id is on the node
 *
 *   claim     the node                                   verdict
 *   any       is what it claims                          {@link Verdict.Permitted}
 *   primary   had the primary in an earlier term         {@link Verdict.StaleTerm}
 *   any       otherwise                                  {@link Verdict.Forbidden}
 * </pre>
 *
 * <p>A claim about a shard or copy that the state does not have is not refused: the request comes
 * too early or too late, and its endpoint reports that. Each assignment of a copy has a new id, so
 * no state names two nodes for one id. Pure.
 */
sealed interface CopyClaim {

  /** The decision about a claim. */
  sealed interface Verdict {

    record Permitted() implements Verdict {}

    /** The node had the primary in an earlier term: the request is late. */
    record StaleTerm(ErrorBody error) implements Verdict {}

    /** This process has seen no state in which the node was what it claims to be. */
    record Forbidden(ErrorBody error) implements Verdict {}
  }

  /** The claim to be the primary of the shard. */
  record Primary() implements CopyClaim {

    @Override
    public Verdict judge(ClusterState state, FormerPrimaries former, ShardId shard, String nodeId) {
      return state
          .shard(shard)
          .filter(routing -> !hasPrimary(routing, nodeId))
          .map(routing ->
              former.has(shard, nodeId)
                  ? stale(routing, nodeId)
                  : forbidden(nodeId, "act for the primary of " + shard))
          .orElseGet(Verdict.Permitted::new);
    }

    private static boolean hasPrimary(ShardRouting routing, String nodeId) {
      return routing.primary().isOn(nodeId)
          || routing.handOver().filter(moving -> moving.target().isOn(nodeId)).isPresent();
    }
  }

  /** The claim to be that copy of the shard. */
  record Copy(String copyId) implements CopyClaim {

    public Copy {
      Objects.requireNonNull(copyId, "copyId");
    }

    @Override
    public Verdict judge(ClusterState state, FormerPrimaries former, ShardId shard, String nodeId) {
      return state
          .shard(shard)
          .flatMap(routing ->
              routing.copy(copyId).or(() -> routing.relocationTo(copyId).map(Relocation::target)))
          .map(CopyRouting::nodeId)
          .filter(place -> !place.equals(nodeId))
          .map(place -> forbidden(nodeId, "act for the node [" + place + "]"))
          .orElseGet(Verdict.Permitted::new);
    }
  }

  /**
   * Checks the claim.
   *
   * @param former the primaries of earlier states
   * @param shard the shard of the copy that received the request
   */
  Verdict judge(ClusterState state, FormerPrimaries former, ShardId shard, String nodeId);

  private static Verdict stale(ShardRouting routing, String nodeId) {
    return new Verdict.StaleTerm(
        ErrorBody.of(
            409,
            "illegal_state_exception",
            "stale primary term: the node [%s] had the primary of %s before the term [%d]"
                .formatted(nodeId, routing.shard(), routing.primaryTerm())));
  }

  private static Verdict forbidden(String nodeId, String what) {
    return new Verdict.Forbidden(
        ErrorBody.of(
            403,
            "security_exception",
            "the certificate is that of the node [" + nodeId + "], which may not " + what));
  }
}
