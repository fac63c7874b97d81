package io.varve.host.http;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.Objects;
import java.util.Optional;

/**
 * What a data node claims to be when a request of it changes a copy on another node:
 *
 * <pre>
 *   the primary of the shard   the node has the primary, or the copy that takes over from it
 *   a copy of the shard        the copy with this id is on the node
 * </pre>
 *
 * <p>A claim about a shard or copy that the state does not have is not refused: the request comes
 * too early or too late, and its endpoint answers that. The id of a copy is new with each
 * assignment, so no state names two nodes for it. Pure.
 */
sealed interface CopyClaim {

  /** To be the primary of the shard. */
  record Primary() implements CopyClaim {

    @Override
    public Optional<ErrorBody> refusal(ClusterState state, ShardId shard, String nodeId) {
      return state
          .shard(shard)
          .filter(routing -> !hasPrimary(routing, nodeId))
          .map(_ -> refused(nodeId, "act for the primary of " + shard));
    }

    private static boolean hasPrimary(ShardRouting routing, String nodeId) {
      return routing.primary().isOn(nodeId)
          || routing.handOver().filter(moving -> moving.target().isOn(nodeId)).isPresent();
    }
  }

  /** To be that copy of the shard. */
  record Copy(String copyId) implements CopyClaim {

    public Copy {
      Objects.requireNonNull(copyId, "copyId");
    }

    @Override
    public Optional<ErrorBody> refusal(ClusterState state, ShardId shard, String nodeId) {
      return state
          .shard(shard)
          .flatMap(routing ->
              routing.copy(copyId).or(() -> routing.relocationTo(copyId).map(Relocation::target)))
          .map(CopyRouting::nodeId)
          .filter(place -> !place.equals(nodeId))
          .map(place -> refused(nodeId, "act for the node [" + place + "]"));
    }
  }

  /**
   * Why the node may not claim this; empty if it may.
   *
   * @param shard of the copy that received the request
   */
  Optional<ErrorBody> refusal(ClusterState state, ShardId shard, String nodeId);

  private static ErrorBody refused(String nodeId, String what) {
    return ErrorBody.of(
        403,
        "security_exception",
        "the certificate is that of the node [" + nodeId + "], which may not " + what);
  }
}
