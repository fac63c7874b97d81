package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.rpc.LeaseRenewal;
import java.util.Map;
import java.util.Optional;

/** The state of another cluster, computed from its cluster log. */
interface LeaderTail extends AutoCloseable {

  /**
   * The newest state. It is empty until the log was read to the end that it had when the tail was
   * opened, because earlier states are outdated.
   */
  Optional<ClusterState> state();

  /**
   * By uuid, the indices that events name which this release can't read and has skipped, with the
   * reason.
   */
  Map<String, String> skipped();

  /**
   * The reason for which this release can't read the log; empty if the tail is not lost for this
   * reason.
   */
  Optional<String> unreadable();

  /**
   * Ends a lease in that cluster, without waiting. Nothing happens if the cluster does not answer;
   * the caller repeats it.
   */
  void release(LeaseRenewal.Release release);

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
