package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Tests searches that search each shard in several concurrent slices. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class SlicedSearchesTest {

  private static JsonNode searched(ServicesInOneJvm cluster, String mode) throws Exception {
    TestIndex index =
        cluster.create(
            "sliced-" + mode,
            """
            {"number_of_replicas": 0, "refresh_interval": "-1",
             "merge.policy.segments_per_tier": 100,
             "search.concurrent_segment_search.mode": "%s",
             "search.concurrent.max_slice_count": 2}\
            """
                .formatted(mode));
    for (int round = 0; round < 4; round++) {
      index.index(10 * round, 10 * round + 10);
      index.refresh();
    }
    JsonNode found =
        index.call("POST", "/_search", "{\"query\":{\"match_all\":{}}}").orThrow().json();
    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(40);
    JsonNode search = index.get("/_stats/search").at("/_all/total/search");
    assertThat(search.path("query_total").asInt()).isOne();
    return search;
  }

  @Test
  void areCountedAsConcurrentQueries(ServicesInOneJvm cluster) throws Exception {
    assertThat(searched(cluster, "all").path("concurrent_query_total").asInt()).isOne();
    assertThat(searched(cluster, "none").path("concurrent_query_total").asInt()).isZero();
  }
}
