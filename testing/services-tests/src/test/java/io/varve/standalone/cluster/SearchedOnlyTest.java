package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** An index becomes search-only, is searched, and becomes writable again. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class SearchedOnlyTest {

  private static final String SCALE = "{\"search_only\":%s}";

  @Test
  void anIndexIsSearchedWithoutItsWritersAndGoesOnWithTheNextNumber(ServicesInOneJvm cluster)
      throws Exception {
    TestIndex index =
        cluster.create(
            "scaled",
            """
            {"number_of_replicas": 0, "number_of_search_replicas": 1, "refresh_interval": "-1"}\
            """);
    index.index(0, 19);
    long term = index.put(19).path("_primary_term").asLong();

    index.call("POST", "/_scale", SCALE.formatted(true)).orThrow();

    assertThat(index.copies("shard")).hasSize(1);
    assertThat(index.nodesOf("s")).containsExactly(ServicesInOneJvm.SEARCH_NODE);
    index.awaitGreen();
    assertThat(index.count("")).isEqualTo(20);
    assertThat(index.get("/_doc/d7").path("found").asBoolean()).isTrue();
    RestCalls.Answer refused = index.call("PUT", "/_doc/d7", "{}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("FORBIDDEN/20/index scaled down");

    index.call("POST", "/_scale", SCALE.formatted(false)).orThrow();

    JsonNode written = index.put(7);
    assertThat(written.path("_version").asInt()).isEqualTo(2);
    assertThat(written.path("_seq_no").asInt()).isEqualTo(20);
    assertThat(written.path("_primary_term").asLong()).isGreaterThan(term);
    index.awaitGreen();
  }
}
