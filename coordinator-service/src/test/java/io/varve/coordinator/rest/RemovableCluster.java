package io.varve.coordinator.rest;

import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;

/** A cluster whose coordinator may learn that it was removed from the members. */
public final class RemovableCluster extends FakeCluster {

  private volatile boolean isRemoved;

  /** From now on, this coordinator admits no request. */
  public void remove() {
    isRemoved = true;
  }

  @Override
  public ClusterState state() {
    if (isRemoved) {
      throw new ApiException(503, "cluster_block_exception", "this coordinator was removed");
    }
    return super.state();
  }

  @Override
  public ClusterState newestState() {
    return super.state();
  }
}
