package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the mapping of a leader index is brought to its follower. */
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
    leader.mappingUpTo(2);

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
    leader.mappingUpTo(0);
    assertThat(other.asked).hasValue(0);

    leader.mappingUpTo(2);
    leader.mappingUpTo(3);
    assertThat(other.asked).as("version 3 came with version 2").hasValue(1);

    export("uuid-of-leader", 4, ExportedLeader.MAPPING);
    leader.mappingUpTo(4);
    assertThat(other.asked).hasValue(2);
    assertThat(other.newFields.getLast().knownMappingVersion()).isEqualTo(2);
  }

  @Test
  void anOperationWaitsForACoordinatorThatKnowsItsMapping() throws Exception {
    assertThatThrownBy(() -> leader.mappingUpTo(4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not know mapping version 4 yet");
    assertThat(other.newFields).isEmpty();

    export("uuid-of-leader", 4, ExportedLeader.MAPPING);
    leader.mappingUpTo(4);
    assertThat(other.newFields).hasSize(1);
  }

  @Test
  void aMappingWithoutFieldsChangesNothing() throws Exception {
    export("uuid-of-leader", 2, "{}");

    leader.mappingUpTo(2);
    leader.mappingUpTo(2);

    assertThat(other.asked).hasValue(1);
    assertThat(other.newFields).isEmpty();
  }

  @Test
  void anIndexOfTheSameNameThatWasCreatedLaterIsNotFollowed() {
    export("another-uuid", 3, ExportedLeader.MAPPING);

    assertThatThrownBy(() -> leader.mappingUpTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another-uuid")
        .hasMessageContaining("uuid-of-leader");
    assertThatThrownBy(() -> leader.open(0)).isInstanceOf(IOException.class);
    assertThat(other.newFields).isEmpty();
  }

  @Test
  void aClusterThatLostItsSeedsCannotBeAsked() throws Exception {
    other.cluster.happened(new ClusterEvent.ClusterSettingsChanged(Map.of(), Map.of()));

    assertThatThrownBy(() -> leader.mappingUpTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no seeds");
  }
}
