package io.varve.rpc;

import java.util.List;

/** The active retention leases of a shard. */
public record ShardLeases(List<Lease> leases) {

  public static final ShardLeases NONE = new ShardLeases(List.of());

  public ShardLeases {
    leases = List.copyOf(leases);
  }

  /**
   * A lease of a follower cluster.
   *
   * @param holder the follower
   * @param retainingSeqNo the first operation that it may read again; -1 for none
   * @param renewedMillis time of the last renewal
   */
  public record Lease(String holder, long retainingSeqNo, long renewedMillis) {}
}
