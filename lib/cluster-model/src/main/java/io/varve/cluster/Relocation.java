package io.varve.cluster;

import java.util.Objects;

/**
 * The relocation of a copy to another node. The copy continues to serve while {@code target}
 * recovers. When the target has started, it replaces the copy under its own id. Until then the
 * target gets no searches, writes do not wait for it, and it does not count as a copy of the shard.
 *
 * <p>The target of a primary first starts as a replica. Then it is assigned the next term, opens as
 * a primary on its node, and its fence ends the writes of its source.
 *
 * @param copyId the source
 * @param target never marked as primary here, even if it opens as a primary
 * @param handOverTerm the term in which the target is to write; 0 before the hand-over, and for
 *     replicas
 */
public record Relocation(String copyId, CopyRouting target, long handOverTerm) {

  public Relocation {
    Objects.requireNonNull(copyId, "copyId");
    if (target.nodeId() == null || target.primary() || handOverTerm < 0) {
      throw new IllegalArgumentException(
          "no target of " + copyId + " in term " + handOverTerm + ": " + target);
    }
  }

  /** Whether the target has been assigned the primary's next term. */
  public boolean handsOver() {
    return handOverTerm > 0;
  }

  Relocation with(CopyRouting newTarget) {
    return new Relocation(copyId, newTarget, handOverTerm);
  }

  /** The target opens again, as a primary under {@code term}. */
  Relocation handingOver(long term) {
    return new Relocation(copyId, target.in(CopyRouting.State.INITIALIZING), term);
  }
}
