package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Replacement;
import io.varve.cluster.Topics;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Tests {@code _ccr/failback} with the coordinator of the cluster that has the promoted index. */
@Timeout(180)
class FailbackEndpointTest extends FollowWorld {

  private static final Topics TOPICS = new Topics("varve", 1);
  private static final String FAILBACK = "POST /mine/_ccr/failback";
  private static final String PROMOTED = "{\"remote_cluster\":\"east\",\"leader_index\":\"copy\"}";

  /** The former leader: shard 0 has a whole log, shard 1 lacks the first record. */
  @BeforeEach
  void aFormerLeader() throws Exception {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "mine", "mine-uuid", 0, Map.of(), 1, "{}", 1, null, shards("mine-uuid", 2)))));
    rest.log.createTopics(
        List.of(TOPICS.operationsSpec("mine-uuid", 2), TOPICS.quarantineSpec("mine-uuid", 2)));
    for (int shard = 0; shard < 2; shard++) {
      PartitionLog log = rest.log.open(TOPICS.operations("mine-uuid"), shard);
      var _ = Appends.await(log, RecordHeader.fence(1, "n1"));
      var _ = Appends.await(log, operation(0));
    }
    rest.log.open(TOPICS.operations("mine-uuid"), 1).truncateBefore(1);
    other.answers("/_internal/cluster/export/copy", Json.write(exported(promoted())));
  }

  private static RawRecord operation(long seqNo) {
    return RecordHeader.data(
        1, seqNo, "id".getBytes(StandardCharsets.UTF_8), "{}".getBytes(StandardCharsets.UTF_8));
  }

  private static Fork fork() {
    ForkPlace place = new ForkPlace(1, 1, 0, null, 9, 2);
    return new Fork("main", "mine", "mine-uuid", Map.of(0, place, 1, place));
  }

  private static IndexMetadata promoted() {
    return new IndexMetadata(
        "copy",
        "copy-uuid",
        0,
        Map.of("index.max_ngram_diff", "3"),
        1,
        MAPPING,
        1,
        null,
        shards("copy-uuid", 2),
        IndexMetadata.Access.OPEN,
        Map.of(),
        fork());
  }

  private static void assertError(MockHttpServletResponse response, int status, String reason) {
    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/reason").asString()).contains(reason);
  }

  @Test
  void theResponseSaysWhichShardsKeepTheirOwnHistory() {
    MockHttpServletResponse response = rest.call(FAILBACK, PROMOTED);

    assertThat(response.getStatus()).isEqualTo(200);
    JsonNode answer = json(response);
    assertThat(answer.path("failback_started").asBoolean()).isTrue();
    assertThat(answer.at("/shards/0/begins_with").asString()).isEqualTo("own_log");
    assertThat(answer.at("/shards/0/seq_no").asLong()).isZero();
    assertThat(answer.at("/shards/1/begins_with").asString()).isEqualTo("own_commit");
    assertThat(answer.at("/shards/1/reason").asString())
        .startsWith("its log begins at offset 1;")
        .contains("the promoted index's segments are copied");
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.FailBack(
                "mine",
                new ClusterCommand.Follow(
                    "east", "copy", "copy-uuid", null, List.of(new FollowOrigin("c", "copy-uuid"))),
                Map.of("index.max_ngram_diff", "3"),
                MAPPING,
                fork()));
  }

  @Test
  void badRequestsAreRefused() {
    assertError(rest.call("POST /missing/_ccr/failback", PROMOTED), 404, "no such index [missing]");
    assertError(
        rest.call(FAILBACK, "{\"remote_cluster\":\"east\",\"leader_index\":\"books\"}"),
        400,
        "index [mine] cannot fail back, because [books] was not promoted");
    assertError(
        rest.call(FAILBACK, "{\"remote_cluster\":\"east\"}"), 400, "leader_index is missing");
    assertError(
        rest.call(FAILBACK, PROMOTED.replace("}", ",\"settings\":{}}")),
        400,
        "[failback] unknown field [settings]");
    assertError(
        rest.call(FAILBACK, PROMOTED.replace("east", "north")),
        404,
        "no such remote cluster: [north]");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void infoCountsTheOperationsInQuarantine() throws Exception {
    var _ = Appends.await(rest.log.open(TOPICS.quarantine("mine-uuid"), 1), operation(1));
    follower(
        "back",
        2,
        Replacement.failback(
            new FollowRelation("east", "copy", "copy-uuid", "puller", 1),
            new Failback("mine-uuid", fork().shards())));

    JsonNode shown = json(rest.call("GET /back/_ccr/info")).at("/follower_indices/0/failback");

    assertThat(shown.path("former_index_uuid").asString()).isEqualTo("mine-uuid");
    assertThat(shown.path("quarantine_topic").asString())
        .isEqualTo("varve.varve.quarantine.mine-uuid");
    assertThat(shown.at("/shards/0/quarantined_operations").asLong(-1)).isZero();
    assertThat(shown.at("/shards/1/quarantined_operations").asLong(-1)).isEqualTo(1);
  }

  @Test
  void aDeletedQuarantineIsNotAskedForAgain() throws Exception {
    FollowRelation begun =
        Replacement.failback(
            new FollowRelation("east", "copy", "copy-uuid", "puller", 1),
            new Failback("mine-uuid", fork().shards()));
    follower("back", 2, begun);
    rest.cluster.change(
        state -> state.apply(new ClusterEvent.FollowerReplaced("mine-uuid", "back-uuid")));
    rest.log.deleteTopic(TOPICS.quarantine("mine-uuid"));
    assertThat(quarantined()).isEqualTo(-1);
    rest.log.createTopics(List.of(TOPICS.quarantineSpec("mine-uuid", 2)));

    assertThat(quarantined()).as("remembered as deleted").isEqualTo(-1);
  }

  private long quarantined() {
    return json(rest.call("GET /mine/_ccr/info"))
        .at("/follower_indices/0/failback/shards/0/quarantined_operations")
        .asLong(-1);
  }
}
