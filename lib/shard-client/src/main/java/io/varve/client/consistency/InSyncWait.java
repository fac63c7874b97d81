package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.client.NotServing;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tracks the copies on which a write must still become visible, while copies fail and start. Asks
 * all assigned copies, because the node of a copy decides its start before the cluster state shows
 * it:
 *
 * <pre>
 *   cluster state   asked                            answer       in sync
 *   started         at once                          any          yes
 *   not started     once some copy shows the write   visible      yes
 *                                                    not started  no
 *                                                    other, none  yes: its start may be in progress
 *
 *   done   the cluster state is current, there is a started primary, and all copies in sync show
 *          the write
 * </pre>
 *
 * The cluster state is current if it contains everything that the cluster log held at some moment
 * after the publication. An earlier state may lack a copy that is already started.
 *
 * <p>INVARIANT: a copy that is not waited for shows the write by the time it is started. When some
 * copy shows the write, the write is published. A copy that is not started after that, or is
 * assigned after that, has not yet determined what it must show before its start, and will include
 * everything that is published.
 *
 * <p>A copy that is no longer assigned does not count. A write that was visible on a copy stays
 * visible there, because a copy's visible seq_no never decreases. Not thread-safe.
 */
public final class InSyncWait {

  private static final String TIMEOUT_TYPE = "visibility_timeout_exception";

  private static final ErrorBody OLD_STATE =
      ErrorBody.of(
          504, TIMEOUT_TYPE, "the cluster log did not answer whether the shard has other copies");

  private final Set<String> showing = new HashSet<>();
  private final Set<String> startingLater = new HashSet<>();
  private final Map<String, ErrorBody> last = new HashMap<>();
  private boolean current;

  /** A wait for the copies of the state that its coordinator knows, even if that state is old. */
  public static InSyncWait ofKnownCopies() {
    InSyncWait wait = new InSyncWait();
    wait.current = true;
    return wait;
  }

  /** A copy on which the write is not visible, and the reason. */
  public record NotShown(CopyAddress copy, ErrorBody error) {}

  public void markVisible(CopyAddress copy) {
    showing.add(id(copy));
  }

  /**
   * @param copy one of {@link #open}
   * @param why its answer, or why it did not answer
   */
  public void markNotVisible(CopyAddress copy, ErrorBody why) {
    last.put(id(copy), why);
    if (!copy.copy().started() && NotServing.is(why)) {
      startingLater.add(id(copy));
    }
  }

  /** Whether some copy shows the write. */
  public boolean isPublished() {
    return !showing.isEmpty();
  }

  /** Whether a cluster state is needed that is current after the publication. */
  public boolean needsCurrentState() {
    return isPublished() && !current;
  }

  /** From now on, the copies are those of a state that is current after the publication. */
  public void markCurrent() {
    current = isPublished();
  }

  /** Returns the copies that must be asked now. */
  public List<CopyAddress> open(List<CopyAddress> assigned) {
    return notShowing(assigned).stream()
        .filter(copy -> copy.copy().started() || isPublished())
        .toList();
  }

  public boolean isDone(List<CopyAddress> assigned) {
    return current
        && assigned.stream().anyMatch(copy -> copy.copy().primary() && copy.copy().started())
        && notShowing(assigned).isEmpty();
  }

  /** Returns the number of these copies on which the write is visible. */
  public int showing(List<CopyAddress> copies) {
    return (int) copies.stream().filter(copy -> showing.contains(id(copy))).count();
  }

  /**
   * Returns the copies in sync on which the write is not visible, each with the reason. While it is
   * not known whether these are all copies, at least the primary is among them.
   */
  public List<NotShown> notShown(List<CopyAddress> assigned) {
    List<NotShown> notShown = new ArrayList<>();
    for (CopyAddress copy : notShowing(assigned)) {
      notShown.add(
          new NotShown(
              copy,
              last.getOrDefault(
                  id(copy), ErrorBody.of(504, TIMEOUT_TYPE, "there was no time to ask"))));
    }
    if (notShown.isEmpty() && needsCurrentState() && !assigned.isEmpty()) {
      notShown.add(new NotShown(assigned.getFirst(), OLD_STATE));
    }
    return notShown;
  }

  private List<CopyAddress> notShowing(List<CopyAddress> assigned) {
    return assigned.stream()
        .filter(copy -> !showing.contains(id(copy)))
        .filter(copy -> copy.copy().started() || !startingLater.contains(id(copy)))
        .toList();
  }

  private static String id(CopyAddress copy) {
    return copy.copy().copyId();
  }
}
