package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import java.util.Optional;

/** The state of another cluster, computed from its cluster log. */
interface LeaderTail extends AutoCloseable {

  /**
   * The newest state. It is empty until the log was read to the end that it had when the tail was
   * opened, because earlier states are outdated.
   */
  Optional<ClusterState> state();

  /** Whether the log can no longer be read; if so, the tail must be opened again. */
  boolean isLost();

  @Override
  void close();

  /** Opens tails. */
  @FunctionalInterface
  interface Opener {

    /**
     * Blocks until the cluster has answered.
     *
     * @param onChange called when the state has changed or the tail is lost; does not block
     * @throws Exception the cluster does not answer, or has none of the leader indices
     */
    LeaderTail open(FollowedCluster followed, Runnable onChange) throws Exception;
  }
}
