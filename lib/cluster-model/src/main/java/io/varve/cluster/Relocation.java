package io.varve.cluster;

import java.util.Objects;

/**
 * A copy on its way to another node. The copy itself serves on; {@code target} is built beside it
 * and takes its place when it has started, under its own id. It is no copy of the shard until then:
 * nobody searches it, waits for it or counts it.
 *
 * <p>The target of a primary first starts as a replica does. Then it is given the next term, opens
 * as a primary where it stands, and its fence ends the writes of the copy that it follows.
 *
 * @param copyId the copy that moves
 * @param target never the primary of the routing, whatever it opens as
 * @param handOverTerm the term in which the target is to write; 0 before, and for replicas
 */
public record Relocation(String copyId, CopyRouting target, long handOverTerm) {

  public Relocation {
    Objects.requireNonNull(copyId, "copyId");
    if (target.nodeId() == null || target.primary() || handOverTerm < 0) {
      throw new IllegalArgumentException(
          "no target of " + copyId + " in term " + handOverTerm + ": " + target);
    }
  }

  /** Whether the target was told to take the primary's place. */
  public boolean handsOver() {
    return handOverTerm > 0;
  }

  Relocation with(CopyRouting newTarget) {
    return new Relocation(copyId, newTarget, handOverTerm);
  }

  /** The target opens anew, as a primary. */
  Relocation handingOver(long term) {
    return new Relocation(copyId, target.in(CopyRouting.State.INITIALIZING), term);
  }
}
