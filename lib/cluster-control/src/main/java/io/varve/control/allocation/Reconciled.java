package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.Watermark;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that a reconciliation had no result, so that an idle cluster is not reconciled at each
 * tick of its leader.
 *
 * <pre>
 *   done  =  the last result was empty, and nothing that the reconciler reads has changed since:
 *            the state, the refused places, and the watermarks that the disks exceed
 * </pre>
 *
 * The reconciler also reads the time if nodes are absent, so there is no {@code done} while any
 * node is absent. Not thread-safe.
 */
public final class Reconciled {

  /** What the reconciler read, except for the time. */
  private record Input(
      ClusterState state, Set<Reconciler.Place> refused, Map<String, Set<Watermark>> exceeded) {

    static Input of(ClusterState state, Reconciler.Situation situation) {
      Map<String, Set<Watermark>> exceeded = new HashMap<>();
      situation.disks().forEach((node, disk) -> exceeded.put(node, marks(state, disk)));
      return new Input(state, situation.refused(), exceeded);
    }

    private static Set<Watermark> marks(ClusterState state, DiskUsage disk) {
      Set<Watermark> marks = EnumSet.noneOf(Watermark.class);
      for (Watermark mark : Watermark.values()) {
        if (mark.isExceeded(state, disk)) {
          marks.add(mark);
        }
      }
      return marks;
    }

    /** States are compared by identity, because comparing two large equal ones takes long. */
    @SuppressWarnings("ReferenceEquality")
    boolean isSame(Input other) {
      return state == other.state
          && refused.equals(other.refused)
          && exceeded.equals(other.exceeded);
    }
  }

  private @Nullable Input last;

  /** Whether a reconciliation would have no result. */
  public boolean isDone(ClusterState state, Reconciler.Situation situation) {
    Input known = last;
    return known != null
        && situation.absentSinceMillis().isEmpty()
        && known.isSame(Input.of(state, situation));
  }

  /**
   * Records the result of a reconciliation.
   *
   * @param state before the events
   */
  public void done(ClusterState state, Reconciler.Situation situation, List<ClusterEvent> events) {
    boolean settled = events.isEmpty() && situation.absentSinceMillis().isEmpty();
    last = settled ? Input.of(state, situation) : null;
  }
}
