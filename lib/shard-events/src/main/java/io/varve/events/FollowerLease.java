package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a cluster that follows a shard still needs of its operations, in the topic of the manifests
 * of the index that is followed. Renewed while it follows; the time of the record says when. A
 * record without a value gives it back.
 *
 * @param holder who follows, alone the writer of the record's key
 * @param fromOffset the first operation that it may ask for again
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

  /** Of the index with that uuid in the cluster with that uuid. */
  public static String holder(String clusterUuid, String indexUuid) {
    return clusterUuid + "-" + indexUuid;
  }

  public RawRecord record() {
    return RawRecord.keyed(key(shard, holder), Json.write(this));
  }

  /** It is given back. */
  public static RawRecord released(ShardId shard, String holder) {
    return RawRecord.keyed(key(shard, holder), null);
  }

  private static byte[] key(ShardId shard, String holder) {
    return (shard.number() + LEASE + holder).getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the manifests' topic is one of these. */
  static boolean isKey(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).contains(LEASE);
  }

  static String holder(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    return text.substring(text.indexOf(LEASE) + LEASE.length());
  }
}
