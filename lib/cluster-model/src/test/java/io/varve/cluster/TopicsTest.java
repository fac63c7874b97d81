package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.TopicSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicsTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "5, 2"})
  void ackedRecordsAreOnTwoReplicasIfThereAreTwo(int replicas, String inSync) {
    for (TopicSpec topic : all(new Topics("test", replicas))) {
      assertThat(topic.settings())
          .as(topic.name())
          .containsEntry("min.insync.replicas", inSync)
          .containsEntry("unclean.leader.election.enable", "false");
    }
  }

  @Test
  void minInsyncReplicasIsLeftToTheBrokerIfTheReplicationFactorIs() {
    for (TopicSpec topic : all(new Topics("test", 0))) {
      assertThat(topic.settings())
          .doesNotContainKey("min.insync.replicas")
          .containsEntry("unclean.leader.election.enable", "false");
    }
  }

  @Test
  void operationsStayUntilTheyAreNotNeeded() {
    assertThat(new Topics("test", 1).operationsSpec("uuid", 3).settings())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "-1")
        .containsEntry("retention.bytes", "-1");
  }

  /** A broker deletes whole segments only, and one of the default size would retain a gigabyte. */
  @Test
  void logSegmentsHaveALimitedSize() {
    Topics topics = new Topics("test", 1);
    for (TopicSpec topic : List.of(topics.operationsSpec("uuid", 3), topics.clusterLogSpec())) {
      assertThat(topic.settings()).as(topic.name()).containsEntry("segment.bytes", "134217728");
    }
    for (TopicSpec topic :
        List.of(topics.manifestsSpec("uuid", 1), topics.progressSpec(), topics.nodesSpec())) {
      assertThat(topic.settings()).as(topic.name()).containsEntry("segment.bytes", "16777216");
    }
  }

  private static List<TopicSpec> all(Topics topics) {
    return List.of(
        topics.clusterLogSpec(),
        topics.nodesSpec(),
        topics.progressSpec(),
        topics.operationsSpec("uuid", 1),
        topics.manifestsSpec("uuid", 1));
  }
}
