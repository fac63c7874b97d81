package io.varve.load.growth;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The size of a cluster. Every shard has a primary and one replica.
 *
 * @param nodes that hold copies
 */
record ClusterSize(int nodes, int indices, int shards) {

  static final ClusterSize LARGEST = new ClusterSize(1_000, 20_000, 100_000);
  private static final int SMALLEST_SHARDS = 1_000;
  private static final int SHARDS_PER_INDEX = 5;
  private static final int SHARDS_PER_NODE = 100;

  /**
   * The smallest size, and larger ones with the same proportions, each about three times the last.
   */
  static List<ClusterSize> steps(int mostShards) {
    return IntStream.of(SMALLEST_SHARDS, 3_000, 10_000, 30_000, LARGEST.shards)
        .filter(shards -> shards <= Math.max(mostShards, SMALLEST_SHARDS))
        .mapToObj(ClusterSize::ofShards)
        .toList();
  }

  private static ClusterSize ofShards(int shards) {
    return new ClusterSize(shards / SHARDS_PER_NODE, shards / SHARDS_PER_INDEX, shards);
  }

  int shardsPerIndex() {
    return shards / indices;
  }

  int copies() {
    return 2 * shards;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d nodes, %,d indices, %,d shards", nodes, indices, shards);
  }
}
