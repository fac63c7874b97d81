package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values are those that OpenSearch's own tests of its hash function expect. */
class RoutingHashTest {

  @ParameterizedTest
  @CsvSource({
    "hell, 5a0cb7c3",
    "hello, d7c31989",
    "hello w, 22ab2984",
    "hello wo, df0ca123",
    "hello wor, e7744d61",
    "The quick brown fox jumps over the lazy dog, e07db09c",
    "The quick brown fox jumps over the lazy cog, 4e63d2ad",
  })
  void hashesAsOpenSearchDoes(String text, String expected) {
    assertThat(Integer.toHexString(RoutingHash.hash(text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1024",
    "2, 1024",
    "3, 768",
    "5, 640",
    "8, 1024",
    "512, 1024",
    "1000, 2000",
    "1024, 2048"
  })
  void doublesTheShardsUpTo1024ButAtLeastOnce(int shards, int routingShards) {
    assertThat(RoutingHash.routingShards(shards)).isEqualTo(routingShards);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "5", "7", "64"})
  void spreadsDocumentsOverAllShards(int shards) {
    int[] documents = new int[shards];
    for (int id = 0; id < shards * 200; id++) {
      documents[RoutingHash.shardOf("id-" + id, shards, RoutingHash.routingShards(shards))]++;
    }
    assertThat(Arrays.stream(documents)).allMatch(count -> count > 100);
  }

  @ParameterizedTest
  @CsvSource({"hell", "hello", "hello wor"})
  void aSplitShardKeepsItsDocumentsAmongItsParts(String routing) {
    int shard = RoutingHash.shardOf(routing, 2, 1024);
    assertThat(RoutingHash.shardOf(routing, 4, 1024) / 2).isEqualTo(shard);
  }
}
