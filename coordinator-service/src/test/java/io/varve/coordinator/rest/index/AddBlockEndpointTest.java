package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.RestHarness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddBlockEndpointTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndices() {
    rest.cluster.index("books", 1);
    rest.cluster.index("shelves", 1);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "write", "metadata", "read_only"})
  void setsTheSettingOfTheBlockOnEachIndex(String block) throws Exception {
    var answer = rest.call("PUT /books,shelves/_block/" + block);

    assertThat(answer.getContentAsString())
        .isEqualTo(
            "{\"acknowledged\":true,\"shards_acknowledged\":true,\"indices\":["
                + "{\"name\":\"books\",\"blocked\":true},{\"name\":\"shelves\",\"blocked\":true}]}");
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.UpdateIndexSettings(
                List.of("books", "shelves"), Map.of("index.blocks." + block, "true"), false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read_only_allow_delete | read_only_allow_delete block is for internal use only
          everything             | No block found with name [everything]
          """)
  void refusesABlockThatNobodyMaySet(String block, String reason) throws Exception {
    var answer = rest.call("PUT /books/_block/" + block);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains(reason);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void changesNothingWhenAnExpressionMeansNoIndex() throws Exception {
    assertThat(rest.call("PUT /missing/_block/write").getStatus()).isEqualTo(404);

    var answer = rest.call("PUT /x*/_block/write");

    assertThat(answer.getContentAsString()).contains("\"indices\":[]");
    assertThat(rest.cluster.commands()).isEmpty();
  }
}
