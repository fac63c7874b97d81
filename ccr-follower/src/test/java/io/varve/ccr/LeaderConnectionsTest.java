package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.Replacement;
import io.varve.events.Feature;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the mapping of a leader index is copied to its follower. */
@Timeout(180)
class LeaderConnectionsTest {

  @TempDir private Path data;
  private ExportedLeader other;
  private LeaderConnections.LeaderIndex leader;

  @BeforeEach
  void start() throws Exception {
    other = new ExportedLeader(data);
    leader = other.connect();
  }

  @AfterEach
  void close() {
    other.close();
  }

  private void export(String uuid, long mappingVersion, String mapping) {
    other.export = ExportedLeader.export(ExportedLeader.index(uuid, mappingVersion, mapping));
  }

  @Test
  void theFieldsOfTheLeaderAreAddedToTheFollowersOwnMapping() throws Exception {
    leader.upTo(2);

    assertThat(other.newFields)
        .singleElement()
        .satisfies(request -> {
          assertThat(request.indexUuid()).isEqualTo(FollowerClusterLog.uuid("follower"));
          assertThat(request.knownMappingVersion()).isEqualTo(1);
          assertThat(request.properties())
              .isEqualTo("{\"properties\":{\"title\":{\"type\":\"text\"}}}");
        });
  }

  @Test
  void theLeaderIsAskedOnlyForWhatWasNotBroughtBefore() throws Exception {
    leader.upTo(0);
    assertThat(other.asked).hasValue(0);

    leader.upTo(2);
    leader.upTo(3);
    assertThat(other.asked).as("version 3 came with version 2").hasValue(1);

    export("uuid-of-leader", 4, ExportedLeader.MAPPING);
    leader.upTo(4);
    assertThat(other.asked).hasValue(2);
    assertThat(other.newFields.getLast().knownMappingVersion()).isEqualTo(2);
  }

  @Test
  void anOperationWaitsForACoordinatorThatKnowsItsMapping() throws Exception {
    assertThatThrownBy(() -> leader.upTo(4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not know mapping version 4 yet");
    assertThat(other.newFields).isEmpty();

    export("uuid-of-leader", 4, ExportedLeader.MAPPING);
    leader.upTo(4);
    assertThat(other.newFields).hasSize(1);
  }

  @Test
  void aMappingWithoutFieldsChangesNothing() throws Exception {
    export("uuid-of-leader", 2, "{}");

    leader.upTo(2);
    leader.upTo(2);

    assertThat(other.asked).hasValue(1);
    assertThat(other.newFields).isEmpty();
  }

  @Test
  void anIndexOfTheSameNameThatWasCreatedLaterIsNotFollowed() {
    export("another-uuid", 3, ExportedLeader.MAPPING);

    assertThatThrownBy(() -> leader.upTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another-uuid")
        .hasMessageContaining("uuid-of-leader");
    assertThatThrownBy(() -> leader.open(0)).isInstanceOf(IOException.class);
    assertThat(other.newFields).isEmpty();
  }

  @Test
  void aClusterThatLostItsSeedsCannotBeAsked() throws Exception {
    other.cluster.happened(new ClusterEvent.ClusterSettingsChanged(Map.of(), Map.of()));

    assertThatThrownBy(() -> leader.upTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no seeds");
  }

  @Test
  void oneReadOfALeadersLogIsWithinTheParametersOfTheFollower() {
    FollowParameters few = new FollowParameters(7, 2 << 10, 1, 1, 1, 1, 1, 1, 1, 300);

    assertThat(LeaderConnections.fetch(few))
        .isEqualTo(new KafkaLogConfig.Fetch(7, 2 << 10, 20, 300, 5_000));
    assertThat(LeaderConnections.fetch(FollowParameters.DEFAULTS))
        .isEqualTo(new KafkaLogConfig.Fetch(5_120, 16 << 20, 20, 500, 5_000));
  }

  @Test
  void aLostHistoryIsReportedWithTheMetadataThatTheLeaderHasNow() throws Exception {
    other.cluster.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    export("uuid-of-another", 1, ExportedLeader.MAPPING);

    leader.historyLost("the log begins at offset 9");

    assertThat(other.lost)
        .containsExactly(
            new ClusterCalls.LostHistory(
                FollowerClusterLog.uuid("follower"),
                "uuid-of-another",
                Map.of(),
                ExportedLeader.MAPPING,
                "the log begins at offset 9"));
  }

  @Test
  void aLossIsReportedOnce() throws Exception {
    other.cluster.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    other.cluster.createIndex(
        "successor",
        Replacement.begin(
            FollowerClusterLog.uuid("follower"),
            FollowerClusterLog.pulledBy("n1"),
            "uuid-of-leader"));

    leader.historyLost("the log begins at offset 9");

    assertThat(other.lost).isEmpty();
  }

  @Test
  void aClusterOfTheFirstLevelReportsNoLoss() throws Exception {
    leader.historyLost("the log begins at offset 9");

    assertThat(other.lost).isEmpty();
  }
}
