package io.varve.coordinator.rest.template;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Templates.Component;
import io.varve.cluster.Templates.Composable;
import io.varve.cluster.Templates.Content;
import io.varve.coordinator.rest.RestHarness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Uses a template {@code books} with priority 2 and a component template, and a general template
 * with priority 1.
 */
class SimulateEndpointTest {

  private final RestHarness rest = new RestHarness();
  private ClusterState before = ClusterState.EMPTY;

  @BeforeEach
  void putTemplates() {
    Content sized = new Content(Map.of("index.number_of_shards", "3"), null, null);
    Content books =
        new Content(
            null,
            "{\"properties\":{\"title\":{\"type\":\"text\"}}}",
            Map.of("{index}-reads", AliasMetadata.PLAIN));
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.TemplatesChanged(
                Map.of(),
                Map.of(
                    "books",
                        new Composable(List.of("books-*"), List.of("sized"), 2L, null, null, books),
                    "general",
                        new Composable(List.of("b*"), List.of(), 1L, null, null, Content.EMPTY)),
                Map.of("sized", new Component(sized, null, null)))));
    before = rest.cluster.state();
  }

  @AfterEach
  void changesNothing() {
    assertThat(rest.cluster.state()).isSameAs(before);
    assertThat(rest.cluster.commands()).isEmpty();
    rest.close();
  }

  @Test
  void composesWhatAnIndexOfThatNameWouldBeMadeFrom() {
    JsonNode answer = json(rest.call("POST /_index_template/_simulate_index/books-1"));

    JsonNode template = answer.path("template");
    assertThat(template.at("/settings/index/number_of_shards").asString()).isEqualTo("3");
    assertThat(template.at("/mappings/properties/title/type").asString()).isEqualTo("text");
    assertThat(template.path("aliases").toString()).isEqualTo("{\"books-1-reads\":{}}");
    assertThat(answer.path("overlapping").toString())
        .isEqualTo("[{\"name\":\"general\",\"index_patterns\":[\"b*\"]}]");
  }

  @Test
  void showsNothingForANameThatNoTemplateMatches() throws Exception {
    var answer = rest.call("POST /_index_template/_simulate_index/films");

    assertThat(answer.getContentAsString()).isEqualTo("{}");
  }

  @Test
  void triesAGivenTemplateAsIfItWereThere() {
    JsonNode answer =
        json(
            rest.call(
                "POST /_index_template/_simulate_index/books-1",
                "{\"index_patterns\":[\"books-1\"],\"priority\":9,"
                    + "\"template\":{\"settings\":{\"number_of_replicas\":0}}}"));

    JsonNode settings = answer.at("/template/settings/index");
    assertThat(settings.path("number_of_replicas").asString()).isEqualTo("0");
    assertThat(settings.has("number_of_shards")).isFalse();
    assertThat(answer.path("overlapping")).hasSize(2);
  }

  @Test
  void showsATemplateByItsName() {
    JsonNode answer = json(rest.call("POST /_index_template/_simulate/books"));

    assertThat(answer.at("/template/settings/index/number_of_shards").asString()).isEqualTo("3");
    // The index is unknown, so its name cannot be filled in.
    assertThat(answer.at("/template/aliases").toString()).isEqualTo("{\"{index}-reads\":{}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /_simulate              | {} | either index name or index template body must be specified
          /_simulate/missing      | {} | unable to simulate template [missing] that does not exist
          /_simulate/new          | {"index_patterns":["books-2*"],"priority":2} | same priority
          /_simulate/new          | {"index_patterns":["x"],"composed_of":["gone"]} | gone
          /_simulate_index/x      | {"index_patterns":["x"],"data_stream":{}} | no data streams
          /_simulate_index/x      | {"index_patterns":[]} | index patterns are missing
          /_simulate_index/x      | {"index_patterns":["x"],"priority":-1} | must be >= 0
          """)
  void refusesWhatCouldNotBePut(String path, String body, String reason) throws Exception {
    var answer = rest.call("POST /_index_template" + path, body);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains(reason);
  }
}
