package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A record of the manifests topic: every started copy of a shard of a strongly consistent index
 * holds all operations up to that seq_no. Followers read only up to there.
 *
 * <p>It stays true: a copy that starts later holds them first, and a shard is revived from a copy
 * that holds them. So the highest one of all terms counts, and an old one is only low.
 *
 * @param term of the primary that has heard it from the copies
 */
public record ReplicatedSeqNo(ShardId shard, long term, long seqNo) {

  private static final String REPLICATED = "/replicated/t";

  public ReplicatedSeqNo {
    Objects.requireNonNull(shard, "shard");
    if (term < 1 || seqNo < 0) {
      throw new IllegalArgumentException(
          "needs term >= 1 and seq_no >= 0, was " + term + ", " + seqNo);
    }
  }

  /** One per shard and term, so that each key has one writer. */
  public byte[] recordKey() {
    return (shard.number() + REPLICATED + term).getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the manifests topic is of this kind. */
  static boolean isKey(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).contains(REPLICATED);
  }
}
