package io.varve.ccr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.FollowRelation;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.Appends;
import io.varve.log.BrokerFolder;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaMessageLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker of a leader is stopped, its data folder replaced by an older copy, and started again
 * on its ports, while a follower pulls. The copy has the operations 0 to 9, and the follower has 0
 * to 19.
 */
@Tag("system")
@Tag("broker")
@Timeout(300)
class RestoredLeaderTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "leader", "n1", 1);
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String OPERATIONS = "there.ops.books";
  private static final ShardId SHARD = new ShardId("follower", 0);
  private static final int IN_COPY = 10;
  private static final int HELD = 20;

  @TempDir private Path folder;
  private final HoldingFollower follower = new HoldingFollower();
  private EmbeddedBroker broker;
  private ShardPuller puller;

  @FunctionalInterface
  private interface Damage {
    void to(BrokerFolder stopped) throws Exception;
  }

  @BeforeEach
  void followThenRestore() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.ALWAYS);
    try (KafkaMessageLog leader = connect("leader")) {
      leader.createTopic(new TopicSpec(OPERATIONS, 1, 1, Map.of()));
      Appends.await(leader.open(OPERATIONS, 0), RecordHeader.fence(1, "n1"));
    }
    write(1, "first-", 0, IN_COPY);
    Path copy = folder.resolve("copy");
    whileTheBrokerIsStopped(stopped -> stopped.copyTo(copy));
    write(1, "first-", IN_COPY, HELD);
    puller =
        new ShardPuller(SHARD, FOLLOW, follower, this::leader, _ -> {}, InstantSource.system());
    await().atMost(SOON).untilAsserted(() -> assertThat(follower.seqNos()).hasSize(HELD));
    whileTheBrokerIsStopped(stopped -> stopped.restoreFrom(copy));
  }

  @AfterEach
  void close() {
    puller.close();
    broker.close();
  }

  private KafkaMessageLog connect(String client) {
    return PatientLogs.open(broker.bootstrapServers(), client);
  }

  private ShardPuller.Leader leader() {
    KafkaMessageLog log = connect("puller");
    return new ShardPuller.Leader(
        log::close,
        log.open(OPERATIONS, 0),
        new LeaseKeeper(null, SHARD, "follower"),
        new ReadAhead(16 << 20));
  }

  private void whileTheBrokerIsStopped(Damage damage) throws Exception {
    BrokerConfig same = broker.config();
    damage.to(BrokerFolder.ofStopped(broker));
    broker = EmbeddedBroker.start(same);
  }

  private void write(long term, String idPrefix, int fromSeqNo, int toSeqNo) throws Exception {
    try (KafkaMessageLog leader = connect("leader")) {
      PartitionLog log = leader.open(OPERATIONS, 0);
      for (int seqNo = fromSeqNo; seqNo < toSeqNo; seqNo++) {
        Operation operation =
            new Operation(term, seqNo, 1, 0, idPrefix + seqNo, null, "{}".getBytes(UTF_8), null);
        Appends.await(log, OperationCodec.encode(operation));
      }
    }
  }

  private void reportsTheLossAndHoldsOnlyTheFirstHistory() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(puller.stats().state()).isEqualTo(PullProgress.State.LOST.name()));
    List<String> first = IntStream.range(0, HELD).mapToObj(seqNo -> "first-" + seqNo).toList();
    assertThat(follower.ids()).isEqualTo(first);
  }

  @Test
  void anIdleLeaderIsNoticed() {
    reportsTheLossAndHoldsOnlyTheFirstHistory();
    assertThat(puller.stats().lagMillis()).isPositive();
  }

  @Test
  void aLeaderThatWritesInTheSameTermIsNoticed() throws Exception {
    write(1, "second-", IN_COPY, 3 * HELD);
    reportsTheLossAndHoldsOnlyTheFirstHistory();
  }

  @Test
  void aLeaderThatWritesInANewTermIsNoticed() throws Exception {
    try (KafkaMessageLog leader = connect("leader")) {
      Appends.await(leader.open(OPERATIONS, 0), RecordHeader.fence(2, "n1"));
    }
    write(2, "second-", IN_COPY, 3 * HELD);
    reportsTheLossAndHoldsOnlyTheFirstHistory();
  }
}
