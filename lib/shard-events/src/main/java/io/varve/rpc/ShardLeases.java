package io.varve.rpc;

import java.util.List;

/** The leases on a shard's operations that hold now. */
public record ShardLeases(List<Lease> leases) {

  public static final ShardLeases NONE = new ShardLeases(List.of());

  public ShardLeases {
    leases = List.copyOf(leases);
  }

  /**
   * A cluster that follows the shard.
   *
   * @param holder who follows
   * @param retainingSeqNo the first operation that it may ask for again
   * @param renewedMillis when it was renewed last
   */
  public record Lease(String holder, long retainingSeqNo, long renewedMillis) {}
}
