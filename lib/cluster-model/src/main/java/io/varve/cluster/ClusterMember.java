package io.varve.cluster;

/** A node of this process as a reader of its cluster's log. */
public interface ClusterMember {

  ClusterView view();

  /** Returns why this node can no longer read the cluster log; empty if it can. */
  String lostReason();
}
