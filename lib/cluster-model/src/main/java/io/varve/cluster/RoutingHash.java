package io.varve.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Computes the shard of a document exactly as OpenSearch does:
 *
 * <pre>
 *   shard = floorMod(murmur3(routing or else id), routingShards) / (routingShards / shards)
 * </pre>
 *
 * Murmur3 is the 32-bit variant for x86 with seed 0, over the characters as UTF-16LE. By default,
 * the number of routing shards is the number of shards, doubled at least once and as long as it
 * does not exceed 1024.
 */
public final class RoutingHash {

  private static final int LOG2_MAX_ROUTING_SHARDS = 10;

  private RoutingHash() {}

  /** The shard of a document. An empty string is a routing value. */
  public static int shardOf(IndexMetadata index, String id, @Nullable String routing) {
    return shardOf(routing == null ? id : routing, index.numberOfShards(), routingShards(index));
  }

  /** The number of routing shards: the index setting or the default. */
  public static int routingShards(IndexMetadata index) {
    String set = index.settings().get(IndexSettings.NUMBER_OF_ROUTING_SHARDS);
    return set == null ? routingShards(index.numberOfShards()) : Integer.parseInt(set);
  }

  static int shardOf(String routing, int shards, int routingShards) {
    return Math.floorMod(hash(routing), routingShards) / (routingShards / shards);
  }

  /** The default number of routing shards. */
  public static int routingShards(int shards) {
    int log2Shards = Integer.SIZE - Integer.numberOfLeadingZeros(shards - 1);
    return shards << Math.max(1, LOG2_MAX_ROUTING_SHARDS - log2Shards);
  }

  /** Murmur3 of the characters as UTF-16LE. */
  public static int hash(String text) {
    int length = text.length();
    int hash = 0;
    // A block is four bytes, two characters.
    for (int i = 0; i + 1 < length; i += 2) {
      hash ^= scramble(text.charAt(i) | (text.charAt(i + 1) << 16));
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    if (length % 2 == 1) {
      hash ^= scramble(text.charAt(length - 1));
    }
    return finish(hash ^ (2 * length));
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }

  private static int finish(int value) {
    int hash = value;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }
}
