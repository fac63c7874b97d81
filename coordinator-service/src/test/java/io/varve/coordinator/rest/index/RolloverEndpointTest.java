package io.varve.coordinator.rest.index;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.RestHarness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Uses an alias {@code logs} whose only index contains three documents. */
class RolloverEndpointTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void threeDocuments() {
    rest.cluster.index("logs-000001", 1);
    rest.cluster.index("other", 1);
    alias("logs-000001", AliasMetadata.PLAIN);
    for (int i = 0; i < 3; i++) {
      rest.call("PUT /logs-000001/_doc/" + i, "{}");
    }
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private void alias(String index, AliasMetadata metadata) {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.AliasesChanged(
                Map.of(index + "-uuid", Map.of("logs", metadata)), List.of())));
  }

  @Test
  void movesTheAliasToTheNextNumberWithoutConditions() {
    JsonNode answer = json(rest.call("POST /logs/_rollover?wait_for_active_shards=0"));

    assertThat(answer.path("old_index").asString()).isEqualTo("logs-000001");
    assertThat(answer.path("new_index").asString()).isEqualTo("logs-000002");
    assertThat(answer.path("rolled_over").asBoolean()).isTrue();
    assertThat(rest.cluster.commands())
        .singleElement()
        .isInstanceOfSatisfying(
            ClusterCommand.RollOver.class,
            command -> {
              assertThat(command.alias()).isEqualTo("logs");
              assertThat(command.from()).isEqualTo("logs-000001");
              assertThat(command.to().name()).isEqualTo("logs-000002");
            });
  }

  @ParameterizedTest
  @CsvSource({"3, true", "4, false"})
  void asksThePrimariesWhetherAConditionHolds(int docs, boolean met) {
    JsonNode answer =
        json(
            rest.call(
                "POST /logs/_rollover?wait_for_active_shards=0",
                "{\"conditions\":{\"max_docs\":" + docs + ",\"max_size\":\"1tb\"}}"));

    assertThat(answer.path("conditions").path("[max_docs: " + docs + "]").asBoolean())
        .isEqualTo(met);
    assertThat(answer.path("conditions").path("[max_size: 1tb]").asBoolean()).isFalse();
    assertThat(answer.path("rolled_over").asBoolean()).isEqualTo(met);
    assertThat(rest.cluster.commands()).hasSize(met ? 1 : 0);
  }

  @Test
  void onlySaysWhatItWouldDoInADryRun() {
    JsonNode answer =
        json(
            rest.call(
                "POST /logs/_rollover/next?dry_run=true", "{\"conditions\":{\"max_docs\":1}}"));

    assertThat(answer.path("new_index").asString()).isEqualTo("next");
    assertThat(answer.path("dry_run").asBoolean()).isTrue();
    assertThat(answer.path("conditions").path("[max_docs: 1]").asBoolean()).isTrue();
    assertThat(answer.path("rolled_over").asBoolean()).isFalse();
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /logs-000001/_rollover | rollover target is a [concrete index] but one of [alias,data_stream] was expected
          /missing/_rollover     | rollover target [missing] does not exist
          /logs/_rollover/other  | index [other/other-uuid] already exists
          /logs/_rollover/A      | must be lowercase
          """)
  void refusesWhatIsNoAliasOrNoNewName(String path, String reason) throws Exception {
    var answer = rest.call("POST " + path);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains(reason);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void refusesAnAliasOfSeveralIndicesWithoutAWriteIndex() throws Exception {
    alias("other", AliasMetadata.PLAIN);

    var answer = rest.call("POST /logs/_rollover");

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString())
        .contains("rollover target [logs] does not point to a write index");
  }

  @Test
  void takesTheWriteIndexOfAnAliasOfSeveral() {
    alias("other", AliasMetadata.PLAIN);
    alias("logs-000001", AliasMetadata.PLAIN.withWriteIndex(true));

    JsonNode answer = json(rest.call("POST /logs/_rollover?dry_run=true"));

    assertThat(answer.path("old_index").asString()).isEqualTo("logs-000001");
  }
}
