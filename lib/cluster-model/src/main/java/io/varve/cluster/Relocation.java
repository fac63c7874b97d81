package io.varve.cluster;

import java.util.Objects;

/**
 * A copy that relocates to another node. The copy continues to serve; {@code target} recovers
 * meanwhile and replaces it when it has started, under its own id. Until then it is no copy of the
 * shard: it gets no searches, is not waited for and does not count.
 *
 * <p>The target of a primary first starts as a replica. Then it is assigned the next term, opens as
 * a primary on its node, and its fence ends the writes of its source.
 *
 * @param copyId the source
 * @param target never the primary of the routing, whatever it opens as
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

  /** Whether the target was told to take over from the primary. */
  public boolean handsOver() {
    return handOverTerm > 0;
  }

  Relocation with(CopyRouting newTarget) {
    return new Relocation(copyId, newTarget, handOverTerm);
  }

  /** The target opens again, as a primary. */
  Relocation handingOver(long term) {
    return new Relocation(copyId, target.in(CopyRouting.State.INITIALIZING), term);
  }
}
