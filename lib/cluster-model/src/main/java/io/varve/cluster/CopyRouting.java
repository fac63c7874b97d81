package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routing of one copy of a shard: the primary, a replica, or a search-only copy. A search-only
 * copy is never promoted, and writers do not wait for it.
 *
 * <p>States: {@code UNASSIGNED -> INITIALIZING -> STARTED}; back to INITIALIZING when its node's
 * process is new or its role changes, back to UNASSIGNED (under a new copy id) when its node leaves
 * or the copy fails.
 *
 * @param copyId the allocation id: new with each assignment to a node
 * @param nodeId {@code null} exactly when unassigned
 * @param reason why the copy was unassigned last, or why its role changed, with the details of a
 *     failure behind a colon; empty once it has started since. It explains why a copy is not
 *     started, and distinguishes the first copies of an index, which start empty, from recoveries.
 * @param searchOnly false in records without the field
 */
public record CopyRouting(
    String copyId,
    boolean primary,
    State state,
    @Nullable String nodeId,
    String reason,
    @JsonSetter(nulls = Nulls.AS_EMPTY) boolean searchOnly) {

  /** The state of a copy. */
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

  /** A copy that is the primary or may become it. */
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

  /** The same copy, unassigned. */
  public CopyRouting unassigned(String why) {
    return new CopyRouting(copyId, primary, State.UNASSIGNED, null, why, searchOnly);
  }

  /** The target of a relocation of this copy. */
  public CopyRouting target(String newCopyId, String node) {
    return new CopyRouting(newCopyId, false, State.INITIALIZING, node, reason, searchOnly);
  }

  /** This target of a relocation as the copy that replaces {@code former}. */
  CopyRouting inPlaceOf(CopyRouting former) {
    return new CopyRouting(copyId, former.primary, state, nodeId, reason, searchOnly);
  }

  public CopyRouting assignedTo(String newCopyId, String node) {
    return new CopyRouting(newCopyId, primary, State.INITIALIZING, node, reason, searchOnly);
  }

  /** The same copy as the primary, not yet open. */
  public CopyRouting promoted() {
    return new CopyRouting(copyId, true, State.INITIALIZING, nodeId, reason);
  }

  /** The same copy as a replica: on its node, not yet open, or unassigned. */
  public CopyRouting demoted(String why) {
    return nodeId == null
        ? unassigned(copyId, false, why)
        : new CopyRouting(copyId, false, State.INITIALIZING, nodeId, why);
  }

  /** The same copy in another state; a start removes the reason permanently. */
  public CopyRouting in(State newState) {
    String left = started() || newState == State.STARTED ? "" : reason;
    return new CopyRouting(copyId, primary, newState, nodeId, left, searchOnly);
  }

  public boolean isOn(String node) {
    return node.equals(nodeId);
  }

  public boolean started() {
    return state == State.STARTED;
  }
}
