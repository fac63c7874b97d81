package io.varve.cluster;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a shard and where it stands.
 *
 * <p>States: {@code UNASSIGNED -> INITIALIZING -> STARTED}; back to INITIALIZING when its node's
 * process is new or its role changes, back to UNASSIGNED (under a new copy id) when its node left
 * or it failed.
 *
 * @param copyId the allocation id: new whenever the copy is assigned to a node anew
 * @param nodeId {@code null} exactly when unassigned
 */
public record CopyRouting(
    String copyId, boolean primary, State state, @Nullable String nodeId, String reason) {

  /** Where a copy is in its life. */
  public enum State {
    UNASSIGNED,
    INITIALIZING,
    STARTED
  }

  public CopyRouting {
    Objects.requireNonNull(copyId, "copyId");
    if ((nodeId == null) != (state == State.UNASSIGNED)) {
      throw new IllegalArgumentException("copy " + copyId + " is " + state + " on node " + nodeId);
    }
  }

  public static CopyRouting unassigned(String copyId, boolean primary, String reason) {
    return new CopyRouting(copyId, primary, State.UNASSIGNED, null, reason);
  }

  public CopyRouting assignedTo(String newCopyId, String node) {
    return new CopyRouting(newCopyId, primary, State.INITIALIZING, node, reason);
  }

  /** The primary from here on, not yet open. */
  public CopyRouting promoted() {
    return new CopyRouting(copyId, true, State.INITIALIZING, nodeId, reason);
  }

  /** A replica from here on: where it stands, but not yet open, or else unassigned. */
  public CopyRouting demoted(String why) {
    return nodeId == null
        ? unassigned(copyId, false, why)
        : new CopyRouting(copyId, false, State.INITIALIZING, nodeId, why);
  }

  public CopyRouting in(State newState) {
    return new CopyRouting(copyId, primary, newState, nodeId, reason);
  }

  public boolean isOn(String node) {
    return node.equals(nodeId);
  }

  public boolean started() {
    return state == State.STARTED;
  }
}
