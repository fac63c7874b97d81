package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.RemoteCluster;
import io.varve.events.FollowerLease;
import io.varve.events.ManifestRecord;
import io.varve.events.RawRecord;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaMessageLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs of a leader index on a real broker, opened by the node that follows it. */
@Tag("system")
@Tag("broker")
class LeaderOnABrokerTest {

  private static final String OPERATIONS = "there.ops.books";
  private static final String MANIFESTS = "there.manifests.books";
  private static final int SHARD = 1;

  @TempDir private Path folder;
  private EmbeddedBroker broker;
  private KafkaMessageLog leaders;
  private ExportedLeader other;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.OS);
    leaders = PatientLogs.open(broker.bootstrapServers(), "leader");
    leaders.createTopics(
        List.of(
            new TopicSpec(OPERATIONS, 2, 1, Map.of()), new TopicSpec(MANIFESTS, 2, 1, Map.of())));
    other = new ExportedLeader(folder.resolve("node"));
  }

  @AfterEach
  void close() {
    other.close();
    leaders.close();
    broker.close();
  }

  private void export(String operationsId, @Nullable String manifests) {
    RemoteCluster.Export before = other.export;
    other.export =
        new RemoteCluster.Export(
            before.clusterName(),
            before.clusterUuid(),
            broker.bootstrapServers(),
            before.index(),
            OPERATIONS,
            operationsId,
            manifests);
  }

  private static List<StoredRecord> all(PartitionLog log) throws LogException {
    List<StoredRecord> records = new ArrayList<>();
    log.read(log.startOffset(), log.endOffset(), records::add);
    return records;
  }

  /**
   * The id of the operations topic according to the brokers, which learn of changes with a delay.
   */
  private Optional<String> topicId() throws LogException {
    try {
      return Optional.of(leaders.topicId(OPERATIONS));
    } catch (LogException.OutOfRange e) {
      return Optional.empty();
    }
  }

  @Test
  void operationsAreReadFromTheSamePartitionAndTheLeaseIsLeftBesideItsManifests() throws Exception {
    export(leaders.topicId(OPERATIONS), MANIFESTS);
    byte[] operation = "operation".getBytes(StandardCharsets.UTF_8);
    Appends.await(leaders.open(OPERATIONS, SHARD), RawRecord.keyed(operation, operation));

    try (ShardPuller.Leader opened = other.connect().open(SHARD)) {
      assertThat(all(opened.partition()))
          .singleElement()
          .satisfies(record -> assertThat(record.record().value()).isEqualTo(operation));
      opened.lease().renew(1, 0);
    }

    String holder = FollowerLease.holder("uuid-of-here", FollowerClusterLog.uuid("follower"));
    FollowerLease lease =
        new FollowerLease(new ShardId(FollowerClusterLog.uuid("leader"), SHARD), holder, 1);
    assertThat(all(leaders.open(MANIFESTS, SHARD)))
        .singleElement()
        .satisfies(record ->
            assertThat(ManifestRecord.of(record.record()))
                .isEqualTo(new ManifestRecord.Leased(lease)));
    assertThat(all(leaders.open(MANIFESTS, 0))).isEmpty();
  }

  @Test
  void aLeaderWithoutATopicForManifestsIsFollowedWithoutALease() throws Exception {
    export(leaders.topicId(OPERATIONS), null);

    try (ShardPuller.Leader opened = other.connect().open(SHARD)) {
      opened.lease().renew(0, 0);
      assertThat(opened.partition().endOffset()).isZero();
    }
    assertThat(all(leaders.open(MANIFESTS, SHARD))).isEmpty();
  }

  @Test
  void aTopicThatWasDeletedAndCreatedAgainIsNotFollowed() throws Exception {
    String before = leaders.topicId(OPERATIONS);
    export(before, MANIFESTS);
    leaders.deleteTopic(OPERATIONS);
    leaders.createTopic(new TopicSpec(OPERATIONS, 2, 1, Map.of()));
    await()
        .atMost(FollowerClusterLog.SOON)
        .until(() -> topicId().filter(id -> !id.equals(before)).isPresent());

    assertThatThrownBy(() -> other.connect().open(SHARD))
        .isInstanceOf(IOException.class)
        .hasMessage("the topic " + OPERATIONS + " is not the one that the leader writes");
  }

  @Test
  void aTopicThatIsGoneIsNotFollowed() throws Exception {
    export(leaders.topicId(OPERATIONS), MANIFESTS);
    leaders.deleteTopic(OPERATIONS);
    await().atMost(FollowerClusterLog.SOON).until(() -> topicId().isEmpty());

    assertThatThrownBy(() -> other.connect().open(SHARD))
        .isInstanceOf(LogException.OutOfRange.class);
  }
}
