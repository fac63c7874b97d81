package io.varve.cluster;

/** A node of this process as a reader of its cluster's log. */
public interface ClusterMember {

  ClusterView view();

  NodeIdentity identity();

  /** Whether this process is a member; an earlier process of its node does not count. */
  default boolean joined() {
    return identity().isMemberOf(view().current());
  }

  /** Returns why this node can no longer read the cluster log; empty if it can. */
  String lostReason();
}
