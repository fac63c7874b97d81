package io.varve.shard.replicated;

import io.varve.cluster.ClusterState;
import io.varve.rpc.HoldsWire;
import java.util.concurrent.CompletableFuture;

/** The parts of a node that a {@link ReplicationTracker} uses. No method blocks. */
public interface TrackerContext {

  /** The cluster state that the node knows. */
  ClusterState state();

  /** Calls {@code changed} after each change of the state, until the result is closed. */
  AutoCloseable listen(Runnable changed);

  /** Fails if the member does not answer. */
  CompletableFuture<HoldsWire.Answer> ask(Member member, HoldsWire.Question question);

  /** Runs a short task later; drops it if the node is closing. */
  void after(long millis, Runnable task);

  /** Runs a task that may block. */
  void execute(Runnable task);

  long nowMillis();
}
