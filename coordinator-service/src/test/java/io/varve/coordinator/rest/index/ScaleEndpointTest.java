package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleEndpointTest {

  private static final String DOWN = "{\"search_only\":true}";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndex() {
    rest.cluster.searchedInTurn();
    rest.cluster.index("books", 1, Map.of());
    rest.cluster.change(state ->
        FakeCluster.copy(
            state,
            state.nodes(),
            Map.of(
                "books",
                state
                    .indices()
                    .get("books")
                    .withShards(shard ->
                        new ShardRouting(
                            shard.shard(),
                            shard.primaryTerm(),
                            List.of(
                                shard.primary(),
                                new CopyRouting(
                                    "search",
                                    false,
                                    CopyRouting.State.STARTED,
                                    FakeCluster.REPLICA_NODE,
                                    "",
                                    true)))))));
  }

  @AfterEach
  void end() {
    rest.close();
  }

  @Test
  void theWritersGoWhenTheCopiesForSearchesHaveWhatTheyHad() throws Exception {
    var answer = rest.call("POST /books/_scale", DOWN);

    assertThat(answer.getContentAsString()).isEqualTo("{\"acknowledged\":true}");
    assertThat(rest.shards.calls()).containsExactly("seal books0p", "visible>=-1 now search");
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.BlockWriters("books-uuid"),
            new ClusterCommand.ReleaseWriters("books-uuid", 1));
  }

  @ParameterizedTest
  @CsvSource({"books0p", "search"})
  void aShardThatFailsLeavesTheIndexWritable(String copy) throws Exception {
    rest.shards.fail(copy, new ApiException(503, "x_exception", "no room"));

    var answer = rest.call("POST /books/_scale", DOWN);

    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(answer.getContentAsString())
        .contains(
            "Pre-scale sync failed for shards of index [books]", "[books][0] x_exception: no room");
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.BlockWriters("books-uuid"),
            new ClusterCommand.RecallWriters("books-uuid", 1));
  }

  @Test
  void upNeedsNoCopyAtAll() {
    rest.cluster.all("books", true, CopyRouting.State.INITIALIZING);

    assertThat(rest.call("POST /books/_scale", "{\"search_only\":false}").getStatus())
        .isEqualTo(200);
    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.RecallWriters("books-uuid", 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                    | Parameter [search_only] is required
          {"search_only":"yes"} | Parameter [search_only] must be a boolean (true or false)
          {"scale":true}        | Unknown parameter [scale]. Only [search_only] is allowed.
          """)
  void whatIsNotAScaleIsRefused(String body, String reason) throws Exception {
    var answer = rest.call("POST /books/_scale", body);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains(reason);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void anIndexIsNamedByItsNameAlone() {
    assertThat(rest.call("POST /boo*/_scale", DOWN).getStatus()).isEqualTo(404);
  }
}
