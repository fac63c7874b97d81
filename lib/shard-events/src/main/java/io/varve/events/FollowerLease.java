package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A lease of a follower cluster on a shard's operations, in the manifests topic of the leader
 * index. It is renewed while the cluster follows; the record's timestamp is the time of renewal. A
 * record without a value releases it.
 *
 * @param holder the follower, sole writer of the record's key
 * @param fromOffset the first record that it may read again: the last one that it holds, to compare
 *     the two, or 0
 */
public record FollowerLease(ShardId shard, String holder, long fromOffset) {

  private static final String LEASE = "/lease/";

  public FollowerLease {
    Objects.requireNonNull(shard, "shard");
    if (holder.isEmpty() || holder.indexOf('/') >= 0) {
      throw new IllegalArgumentException("not a holder's name: [" + holder + "]");
    }
    if (fromOffset < 0) {
      throw new IllegalArgumentException("an offset is >= 0, was " + fromOffset);
    }
  }

  /** The holder for a follower index, given the uuids of its cluster and index. */
  public static String holder(String clusterUuid, String indexUuid) {
    return clusterUuid + "-" + indexUuid;
  }

  public RawRecord record() {
    return RawRecord.keyed(key(shard, holder), Json.write(this));
  }

  /** The record that releases a lease. */
  public static RawRecord released(ShardId shard, String holder) {
    return RawRecord.keyed(key(shard, holder), null);
  }

  private static byte[] key(ShardId shard, String holder) {
    return (shard.number() + LEASE + holder).getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the manifests topic is a lease. */
  static boolean isKey(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).contains(LEASE);
  }

  static String holder(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    return text.substring(text.indexOf(LEASE) + LEASE.length());
  }
}
