package io.varve.coordinator.rest;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the REST dialect needs of the cluster: its state, news of it, and a way to change it. */
public interface ClusterAccess {

  ClusterState state();

  /** The clock by which this process waits. */
  default Ticker clock() {
    return Ticker.SYSTEM;
  }

  /** The end of a wait that begins now. */
  default Deadline deadline(Duration timeout) {
    return Deadline.in(timeout, clock());
  }

  /** Waits until the state is at least of that version; false when it isn't in time. */
  boolean awaitVersion(long version, Duration timeout) throws InterruptedException;

  /**
   * Waits for a state that has what is looked for, beginning with the present one; empty when none
   * has it in time.
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

  /** Told each new state and, at once, the present one. */
  ClusterView.Registration listen(Consumer<ClusterState> listener);

  /**
   * Makes the change, through the leader, and returns when {@link #state} shows it. Throws {@link
   * io.varve.rpc.ApiException} when it is refused or can't be made in time.
   */
  void change(ClusterCommand command, Duration timeout) throws InterruptedException;

  /** What a copy last said of itself. */
  Optional<CopyProgress> progress(String copyId);

  /** Each node's last sign of life, by node id. */
  Map<String, NodeHeartbeat> heartbeats();

  /** The last signs of life of the nodes that are not silent, members or not. */
  default Collection<NodeHeartbeat> beating() {
    return heartbeats().values();
  }

  /** Told when a process is heard of for the first time; must not block. */
  ClusterView.Registration onFirstHeartbeat(Runnable listener);

  /** The id of the coordinator that answers. */
  String localNodeId();

  /** The name of the coordinator that answers. */
  String localNodeName();
}
