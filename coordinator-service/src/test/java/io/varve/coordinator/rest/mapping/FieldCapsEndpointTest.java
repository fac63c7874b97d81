package io.varve.coordinator.rest.mapping;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Two indices that map {@code year} differently; only one of them has {@code title}. */
class FieldCapsEndpointTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void twoMappings() {
    rest.cluster.index("books", 1);
    rest.cluster.index("films", 1);
    mapping(
        "books",
        "{\"properties\":{\"year\":{\"type\":\"long\"},\"title\":{\"type\":\"text\"},"
            + "\"author\":{\"properties\":{\"name\":{\"type\":\"keyword\",\"index\":false}}}}}");
    mapping(
        "films",
        "{\"properties\":{\"year\":{\"type\":\"keyword\",\"doc_values\":false},"
            + "\"author\":{\"properties\":{\"name\":{\"type\":\"keyword\"}}}}}");
  }

  private void mapping(String index, String json) {
    rest.cluster.change(
        state -> state.apply(new ClusterEvent.MappingChanged(index + "-uuid", 2, json)));
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void tellsTheTypesOfAFieldByIndex() {
    JsonNode year = json(rest.call("GET /_field_caps?fields=year")).at("/fields/year");

    assertThat(year.at("/long/indices").toString()).isEqualTo("[\"books\"]");
    assertThat(year.at("/long/aggregatable").asBoolean()).isTrue();
    assertThat(year.at("/keyword/indices").toString()).isEqualTo("[\"films\"]");
    assertThat(year.at("/keyword/searchable").asBoolean()).isTrue();
    assertThat(year.at("/keyword/aggregatable").asBoolean()).isFalse();
  }

  @Test
  void namesTheIndicesInWhichAFieldCantBeSearched() {
    JsonNode name = json(rest.call("POST /_field_caps", "{\"fields\":[\"author.*\"]}"));

    JsonNode keyword = name.path("fields").path("author.name").path("keyword");
    assertThat(keyword.path("searchable").asBoolean()).isFalse();
    assertThat(keyword.path("non_searchable_indices").toString()).isEqualTo("[\"books\"]");
    assertThat(keyword.has("indices")).isFalse();
  }

  @Test
  void namesTheIndicesThatLackAFieldWhenAsked() {
    JsonNode with = json(rest.call("GET /_field_caps?fields=title&include_unmapped=true"));
    JsonNode without = json(rest.call("GET /_field_caps?fields=title"));

    assertThat(with.at("/fields/title/unmapped/indices").toString()).isEqualTo("[\"films\"]");
    assertThat(without.at("/fields/title").has("unmapped")).isFalse();
    assertThat(without.path("indices").toString()).isEqualTo("[\"books\",\"films\"]");
  }

  @Test
  void leavesOutIndicesWithoutADocumentThatTheFilterMatches() {
    rest.call("PUT /films/_doc/1", "{\"year\":\"1927\"}");

    JsonNode answer =
        json(rest.call("POST /_field_caps?fields=year", "{\"index_filter\":{\"match_all\":{}}}"));

    assertThat(answer.path("indices").toString()).isEqualTo("[\"films\"]");
    assertThat(answer.at("/fields/year").has("long")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /_field_caps          | {}               | no fields specified
          POST /_field_caps?fields=a | {"query":{}}    | unknown field [query]
          """)
  void refusesARequestThatItCantRead(String line, String body, String reason) throws Exception {
    var answer = rest.call(line, body);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains(reason);
  }
}
