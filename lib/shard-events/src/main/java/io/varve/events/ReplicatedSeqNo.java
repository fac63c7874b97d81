package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A record of the manifests topic: every started copy of a shard of a strongly consistent index
 * holds all operations up to that seq_no. Followers read only up to it.
 *
 * <p>A record remains valid: a copy that starts later first gets these operations, and a shard is
 * revived from a copy that holds them. The highest record of all terms therefore counts, and an old
 * one is valid but low.
 *
 * @param term the term of the primary to which the copies reported it
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
