package io.varve.coordinator.rest.index;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.Revival;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.ShardId;
import io.varve.rpc.FolderPosition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;

class ReviveEndpointTest {

  private static final String REVIVE = "POST /a/_revive?wait_for_active_shards=0";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void oneIndexWithoutAnActivePrimary() {
    rest.cluster.index("a", 1);
    rest.cluster.all("a", true, CopyRouting.State.INITIALIZING);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private void primaryHolds(long nextSeqNo, long term, String lost) {
    rest.nodes.folder(
        FakeCluster.PRIMARY_NODE, new FolderPosition(true, nextSeqNo, term, true, lost));
  }

  private void replicaHolds(long nextSeqNo, long term, String lost) {
    rest.nodes.folder(
        FakeCluster.REPLICA_NODE, new FolderPosition(true, nextSeqNo, term, true, lost));
  }

  private static String reason(MockHttpServletResponse response) {
    assertThat(response.getStatus()).isEqualTo(400);
    return json(response).at("/error/reason").asString();
  }

  @ParameterizedTest(name = "primary at {0} of term {1}, replica at {2} of term {3}: {4}")
  @CsvSource({
    "40, 6, 30, 6, primary-node, 40",
    "30, 6, 40, 6, replica-node, 40",
    "40, 6, 30, 7, replica-node, 30",
    "40, 6, 40, 6, primary-node, 40",
  })
  void theCopyFurthestOnContinues(
      long primary, long primaryTerm, long replica, long replicaTerm, String node, long nextSeqNo) {
    primaryHolds(primary, primaryTerm, "cut");
    replicaHolds(replica, replicaTerm, "cut");

    MockHttpServletResponse response = rest.call(REVIVE);

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(json(response).at("/shards/0/node").asString()).isEqualTo(node);
    assertThat(rest.cluster.commands())
        .contains(
            new ClusterCommand.ReviveShard(
                new ShardId("a-uuid", 0),
                FakeCluster.TERM,
                node,
                new Revival(
                    FakeCluster.TERM + 1,
                    nextSeqNo,
                    node.equals("primary-node") ? primaryTerm : replicaTerm)));
  }

  @Test
  void aMissingCopyNeedsTheAcceptanceOfDataLoss() {
    primaryHolds(40, 6, "cut");

    assertThat(reason(rest.call(REVIVE))).contains("accept_data_loss", "1 copies");
    assertThat(rest.cluster.commands()).isEmpty();
    MockHttpServletResponse accepted = rest.call(REVIVE + "&accept_data_loss=true");

    assertThat(accepted.getStatus()).isEqualTo(200);
    assertThat(json(accepted).at("/shards/0/copies/missing").asInt()).isEqualTo(1);
    assertThat(json(accepted).at("/shards/0/reason").asString()).isEqualTo("cut");
  }

  @Test
  void aNodeThatDoesNotAnswerMayHoldACopyThatIsFurtherOn() {
    primaryHolds(40, 6, "cut");
    replicaHolds(40, 6, "cut");
    rest.nodes.lose(FakeCluster.REPLICA_NODE);

    assertThat(reason(rest.call(REVIVE))).contains("accept_data_loss");
  }

  @Test
  void aShardThatIsNotDeadIsRefused() {
    primaryHolds(40, 6, null);
    replicaHolds(30, 6, "cut");
    assertThat(reason(rest.call(REVIVE))).contains("no shard of [a] is dead");

    primaryHolds(40, 6, "cut");
    rest.cluster.all("a", true, CopyRouting.State.STARTED);
    assertThat(reason(rest.call(REVIVE))).contains("no shard of [a] is dead");
    assertThat(rest.cluster.commands()).isEmpty();
  }
}
