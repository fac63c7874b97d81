package io.varve.coordinator.rest.index;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StoredFieldsShownTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void anIndexOfTwoShards() {
    rest.cluster.index("a", 2);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void eachSegmentTellsItsModeLevelDictionaryAndSizes() {
    JsonNode segment =
        json(rest.call("GET /a/_segments")).at("/indices/a/shards/0/0/segments/_0/stored_fields");

    assertThat(segment.path("mode").asString()).isEqualTo("zstd");
    assertThat(segment.path("level").asInt()).isEqualTo(3);
    assertThat(segment.path("dictionary").asString()).isEqualTo("ab12");
    assertThat(segment.path("size_in_bytes").asLong()).isEqualTo(500);
    assertThat(segment.path("raw_size_in_bytes").asLong()).isEqualTo(2000);
    assertThat(segment.path("ratio").asDouble()).isEqualTo(0.25);
  }

  @Test
  void figuresSumTheBytesOfEachCodecAndNotTheRatios() {
    JsonNode all =
        json(rest.call("GET /a/_stats/segments?include_segment_file_sizes=true&level=shards"));

    JsonNode primaries = all.at("/_all/primaries/segments/stored_fields/zstd");
    assertThat(primaries.path("segments").asLong()).isEqualTo(2);
    assertThat(primaries.path("size_in_bytes").asLong()).isEqualTo(1000);
    assertThat(primaries.at("/raw/size_in_bytes").asLong()).isEqualTo(4000);
    assertThat(primaries.at("/raw/ratio").asDouble()).isEqualTo(0.25);
    assertThat(all.at("/_all/total/segments/stored_fields/zstd/raw/ratio").asDouble())
        .isEqualTo(0.25);
    assertThat(all.at("/indices/a/shards/0/0/segments/stored_fields/zstd/raw/ratio").asDouble())
        .isEqualTo(0.25);
  }

  @Test
  void withoutTheSizesOfFilesFiguresDoNotOpenTheFiles() {
    assertThat(
            json(rest.call("GET /a/_stats/segments"))
                .at("/_all/total/segments/stored_fields")
                .size())
        .isZero();
  }
}
