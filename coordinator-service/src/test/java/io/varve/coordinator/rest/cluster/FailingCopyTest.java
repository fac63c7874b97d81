package io.varve.coordinator.rest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Allocated copies that report that they cannot continue on their node. */
class FailingCopyTest {

  private static final String REASON = "the record at offset 7 can't be read";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndex() {
    rest.cluster.index("books", 1);
  }

  @AfterEach
  void end() {
    rest.close();
  }

  private void fails(String copyId, boolean primary) {
    rest.cluster.progress(
        new CopyProgress(
            copyId,
            new ShardId("books-uuid", 0),
            primary ? FakeCluster.PRIMARY_NODE : FakeCluster.REPLICA_NODE,
            primary,
            CopyProgress.FAILED,
            7,
            -1,
            0,
            -1,
            -1,
            0,
            0,
            0,
            -1,
            0,
            0,
            1_000,
            REASON));
  }

  /** A replica whose node is too old for its primary: the place says why it can't be there. */
  @Test
  void aNodeThatIsOlderThanThatOfThePrimaryIsExplained() throws Exception {
    NodeInfo node = rest.cluster.state().nodes().get(FakeCluster.PRIMARY_NODE);
    Map<String, String> attributes = new HashMap<>(node.attributes());
    attributes.put(NodeInfo.READER_VERSION_ATTRIBUTE, "10.6/2");
    rest.cluster.change(state ->
        state
            .apply(
                new ClusterEvent.NodeJoined(
                    new NodeInfo(
                        node.nodeId(),
                        node.name(),
                        node.incarnation(),
                        node.roles(),
                        node.url(),
                        attributes)))
            .apply(
                new ClusterEvent.CopyUnassigned(
                    new ShardId("books-uuid", 0), "books0r", "ALLOCATION_FAILED: too old")));

    JsonNode explained = explain("{\"index\":\"books\",\"shard\":0,\"primary\":false}");

    assertThat(explained.path("can_allocate").asString()).isEqualTo("no");
    assertThat(explained.at("/unassigned_info/details").asString()).isEqualTo("too old");
    assertThat(explained.path("node_allocation_decisions").toString())
        .contains("\"decider\":\"node_version\"", "[unknown] of the node is older than [10.6/2]");
  }

  private JsonNode explain(String... body) throws Exception {
    return Json.mapper()
        .readTree(
            rest.call("GET /_cluster/allocation/explain", body.length == 0 ? "{}" : body[0])
                .getContentAsByteArray());
  }

  @Test
  void aPrimaryThatDoesNotOpenIsFoundAndExplained() throws Exception {
    rest.cluster.all("books", true, CopyRouting.State.INITIALIZING);
    fails("books0p", true);

    JsonNode explained = explain();

    assertThat(explained.path("index").asString()).isEqualTo("books");
    assertThat(explained.path("current_state").asString()).isEqualTo("initializing");
    assertThat(explained.path("failure").asString()).isEqualTo(REASON);
    assertThat(explained.at("/unassigned_info/reason").asString()).isEqualTo("ALLOCATION_FAILED");
    assertThat(explained.at("/unassigned_info/details").asString()).isEqualTo(REASON);
    assertThat(explained.at("/unassigned_info/at").asString())
        .isEqualTo("1970-01-01T00:00:01.000Z");
    assertThat(
            rest.call("GET /_cat/shards?h=prirep,unassigned.reason,unassigned.details")
                .getContentAsString())
        .contains("p ALLOCATION_FAILED " + REASON);
  }

  @Test
  void aReplicaThatServesOnAndGoesNoFurtherSaysWhy() throws Exception {
    fails("books0r", false);

    JsonNode explained = explain("{\"index\":\"books\",\"shard\":0,\"primary\":false}");

    assertThat(explained.path("current_state").asString()).isEqualTo("started");
    assertThat(explained.path("failure").asString()).isEqualTo(REASON);
    assertThat(explained.has("unassigned_info")).isFalse();
  }

  /** Between two attempts nothing reports the failure but the cluster state. */
  @Test
  void aPrimaryThatIsOpenedAgainSaysWhyItFailedBefore() throws Exception {
    ShardId shard = new ShardId("books-uuid", 0);
    rest.cluster.change(state ->
        state
            .apply(
                new ClusterEvent.CopyUnassigned(shard, "books0p", "ALLOCATION_FAILED: no source"))
            .apply(new ClusterEvent.PrimaryAssigned(shard, "p2", FakeCluster.PRIMARY_NODE, 8)));

    JsonNode explained = explain();

    assertThat(explained.path("index").asString()).isEqualTo("books");
    assertThat(explained.path("current_state").asString()).isEqualTo("initializing");
    assertThat(explained.at("/unassigned_info/reason").asString()).isEqualTo("ALLOCATION_FAILED");
    assertThat(explained.at("/unassigned_info/details").asString()).isEqualTo("no source");
  }

  /** Its folder may be the only one with operations that the log no longer has. */
  @Test
  void aCopyWhoseNodeIsAwaitedWithoutLimitSaysSo() throws Exception {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.IndexSettingsChanged(
                "books-uuid", 2, Map.of("index.log.retention", "auto"))));
    rest.cluster.leave(FakeCluster.PRIMARY_NODE);
    rest.cluster.leave(FakeCluster.REPLICA_NODE);

    JsonNode explained = explain("{\"index\":\"books\",\"shard\":0,\"primary\":true}");

    assertThat(explained.path("can_allocate").asString()).isEqualTo("allocation_delayed");
    assertThat(explained.path("allocate_explanation").asString()).contains("without limit");
    assertThat(explained.has("configured_delay_in_millis")).isFalse();
  }
}
