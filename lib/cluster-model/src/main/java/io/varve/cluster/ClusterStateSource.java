package io.varve.cluster;

import io.varve.events.CopyProgress;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The cluster state as known to this process, and notification of changes. */
public interface ClusterStateSource {

  /** The newest state known to this process. */
  ClusterState state();

  /** The clock for timeouts. */
  default Ticker clock() {
    return Ticker.SYSTEM;
  }

  /** The deadline of a wait that begins now. */
  default Deadline deadline(Duration timeout) {
    return Deadline.in(timeout, clock());
  }

  /**
   * The newest state that this process has read, for a request that was admitted with {@link
   * #state}. This also holds while the process is not a member: an exception would then hide what
   * the request has done.
   */
  default ClusterState newestState() {
    return state();
  }

  /** Waits until the state has at least this version; false on timeout. */
  boolean awaitVersion(long version, Duration timeout) throws InterruptedException;

  /**
   * Waits for the first state, the current one included, for which {@code wanted} returns a value;
   * empty when none does before the deadline.
   */
  default <T> Optional<T> await(Function<ClusterState, Optional<T>> wanted, Deadline deadline)
      throws InterruptedException {
    while (true) {
      ClusterState state = state();
      Optional<T> found = wanted.apply(state);
      if (found.isPresent() || deadline.isOver()) {
        return found;
      }
      awaitVersion(state.version() + 1, deadline.left());
    }
  }

  /** Calls the listener with the current state at once and with each new one. */
  ClusterView.Registration listen(Consumer<ClusterState> listener);

  /** The newest progress reported by each copy. */
  Optional<CopyProgress> progress(String copyId);

  /** The node id of this process. */
  String localNodeId();
}
