package io.varve.ccr;

/**
 * A follower's lease on its leader's operations, independent of where the leader's cluster stores
 * it.
 */
interface LeaderLease {

  /**
   * Adds or renews the lease; the leader retains that shard's records from {@code fromOffset} on.
   */
  void renew(int shard, long fromOffset, long nowMillis) throws InterruptedException;

  /**
   * Whether the leader's cluster retains that shard's records from that offset on, according to its
   * last answer.
   */
  boolean isRetained(int shard, long fromOffset);

  /** Why the leader's cluster refused the last request; empty if it did not. */
  String refusal();

  /** Ends the lease, because the index is no longer a follower. */
  void release() throws InterruptedException;
}
