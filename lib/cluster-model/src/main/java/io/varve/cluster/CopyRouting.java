package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a shard and where it stands: the primary, a replica, or a copy for searches alone.
 * The latter is never promoted and nobody who writes waits for it.
 *
 * <p>States: {@code UNASSIGNED -> INITIALIZING -> STARTED}; back to INITIALIZING when its node's
 * process is new or its role changes, back to UNASSIGNED (under a new copy id) when its node left
 * or it failed.
 *
 * @param copyId the allocation id: new whenever the copy is assigned to a node anew
 * @param nodeId {@code null} exactly when unassigned
 * @param searchOnly whether it is for searches alone; not, in records that don't say
 */
public record CopyRouting(
    String copyId,
    boolean primary,
    State state,
    @Nullable String nodeId,
    String reason,
    @JsonSetter(nulls = Nulls.AS_EMPTY) boolean searchOnly) {

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
    if (primary && searchOnly) {
      throw new IllegalArgumentException("copy " + copyId + " is for searches alone");
    }
  }

  /** One that may become the primary, or is it. */
  public CopyRouting(
      String copyId, boolean primary, State state, @Nullable String nodeId, String reason) {
    this(copyId, primary, state, nodeId, reason, false);
  }

  public static CopyRouting unassigned(String copyId, boolean primary, String reason) {
    return new CopyRouting(copyId, primary, State.UNASSIGNED, null, reason);
  }

  public static CopyRouting unassignedForSearch(String copyId, String reason) {
    return new CopyRouting(copyId, false, State.UNASSIGNED, null, reason, true);
  }

  /** Without a place, and otherwise what it was. */
  public CopyRouting unassigned(String why) {
    return new CopyRouting(copyId, primary, State.UNASSIGNED, null, why, searchOnly);
  }

  /** What is built on another node to take this copy's place. */
  public CopyRouting target(String newCopyId, String node) {
    return new CopyRouting(newCopyId, false, State.INITIALIZING, node, reason, searchOnly);
  }

  /** This target of a relocation is the copy from here on. */
  CopyRouting inPlaceOf(CopyRouting former) {
    return new CopyRouting(copyId, former.primary, state, nodeId, reason, searchOnly);
  }

  public CopyRouting assignedTo(String newCopyId, String node) {
    return new CopyRouting(newCopyId, primary, State.INITIALIZING, node, reason, searchOnly);
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
    return new CopyRouting(copyId, primary, newState, nodeId, reason, searchOnly);
  }

  public boolean isOn(String node) {
    return node.equals(nodeId);
  }

  public boolean started() {
    return state == State.STARTED;
  }
}
