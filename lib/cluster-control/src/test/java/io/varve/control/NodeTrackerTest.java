package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Topics;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeTrackerTest {

  private static final Topics TOPICS = new Topics("test", 1);
  private static final long HEARTBEAT_MILLIS = 5_000;
  private static final String OWN = "own";
  private static final NodeTracker.Own SELF =
      new NodeTracker.Own(OWN, OWN + "-1", HEARTBEAT_MILLIS);

  private final AtomicLong nowMillis = new AtomicLong(100_000);
  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final NodeTracker tracker =
      new NodeTracker(log, TOPICS, nowMillis::get, SELF, Runnable::run);

  @BeforeEach
  void follow() throws Exception {
    log.createTopic(TOPICS.nodesSpec());
    tracker.start();
  }

  @AfterEach
  void end() {
    tracker.close();
  }

  @Test
  void aNodeIsSilentWhileOwnHeartbeatsReturn() throws Exception {
    beat("a", 0);
    beatOfThisCoordinator();
    for (int i = 1; i <= 5; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      beatOfThisCoordinator();
      assertThat(tracker.heard("a").silentMillis()).isEqualTo(i * HEARTBEAT_MILLIS);
    }
    beat("a", 0);
    assertThat(tracker.heard("a")).isEqualTo(new NodeSigns.Heard(nowMillis.get(), 0));
  }

  @Test
  void ifNoHeartbeatArrivesTheLogIsSilentAndNotTheNodes() throws Exception {
    AtomicInteger news = new AtomicInteger();
    beat("a", 0);
    beatOfThisCoordinator();
    tracker.onNews(news::incrementAndGet);
    nowMillis.addAndGet(3 * HEARTBEAT_MILLIS + 1);
    assertThat(tracker.silentMillis()).isEqualTo(3 * HEARTBEAT_MILLIS + 1);
    assertThat(tracker.heard("a").silentMillis()).isZero();
    beatOfThisCoordinator();
    assertThat(tracker.heard("a").silentMillis()).isZero();
    assertThat(news).as("each partition delivers again").hasValue(Topics.NODES_PARTITIONS);
  }

  @Test
  void heartbeatsOfOtherNodesProveNothing() throws Exception {
    beat("a", 0);
    beatOfThisCoordinator();
    for (int i = 0; i < 20; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      beat("d", 0);
    }
    assertThat(partitionOf("d")).isEqualTo(partitionOf("a"));
    assertThat(tracker.heard("a").silentMillis()).isZero();
  }

  @Test
  void aPartitionProvesNothingForTheNodesOfAnother() throws Exception {
    beat("a", 0);
    beat("b", 0);
    beatOfThisCoordinator();
    for (int i = 0; i < 20; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      beat(OWN, OWN + "-1", 0, partitionOf("b"));
    }
    assertThat(partitionOf("b")).isNotEqualTo(partitionOf("a"));
    assertThat(tracker.heard("a").silentMillis()).isZero();
    assertThat(tracker.heard("b").silentMillis()).isEqualTo(20 * HEARTBEAT_MILLIS);
  }

  @Test
  void aCoordinatorIsNeverSilentToItself() throws Exception {
    for (int i = 0; i < 20; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      for (int partition = 0; partition < Topics.NODES_PARTITIONS; partition++) {
        if (partition != partitionOf(OWN)) {
          beat(OWN, OWN + "-1", 0, partition);
        }
      }
    }
    assertThat(tracker.heard(OWN).silentMillis()).isZero();
  }

  @Test
  void anotherPartitionNeverReplacesTheProcessOfANode() throws Exception {
    int home = partitionOf("a");
    int other = (home + 1) % Topics.NODES_PARTITIONS;
    beat("a", "a-1", 0, other);
    assertThat(tracker.signs()).isEmpty();

    beat("a", "a-2", 0, home);
    long heardMillis = nowMillis.get();
    nowMillis.addAndGet(1_000);
    beat("a", "a-1", 0, other);
    assertThat(tracker.heartbeat("a").orElseThrow().incarnation()).isEqualTo("a-2");
    assertThat(tracker.heard("a").lastMillis()).isEqualTo(heardMillis);

    beat("a", "a-2", 0, other);
    assertThat(tracker.heard("a").lastMillis()).isEqualTo(nowMillis.get());
    assertThat(tracker.signs())
        .as("it admits no node")
        .extractingByKey("a")
        .extracting(Membership.Sign::arrivedMillis)
        .isEqualTo(heardMillis);
  }

  @Test
  void aHeartbeatCountsOnceItsAddressIsProven() throws Exception {
    List<Runnable> waiting = new ArrayList<>();
    Set<String> proven = new HashSet<>();
    try (NodeTracker careful =
        new NodeTracker(
            log,
            TOPICS,
            nowMillis::get,
            SELF,
            Runnable::run,
            (beat, later) -> proven.contains(beat.nodeId()) || !waiting.add(later))) {
      careful.start();
      AtomicInteger news = new AtomicInteger();
      beat("a", 9);
      careful.onNews(news::incrementAndGet);
      assertThat(careful.signs()).isEmpty();
      assertThat(careful.silentMillis()).as("the topic delivers").isZero();

      proven.add("a");
      waiting.getFirst().run();
      assertThat(careful.signs()).containsOnlyKeys("a");
      assertThat(news).hasValue(1);
      beat("b", 0);
      assertThat(careful.signs()).containsOnlyKeys("a");
    }
  }

  @Test
  void aLeaderIsSilentUnlessItAnnouncesThatItLeads() throws Exception {
    beatOfThisCoordinator();
    beat("a", 7);
    nowMillis.addAndGet(1_000);
    beat("a", 0);
    beatOfThisCoordinator();
    assertThat(tracker.leaderSilentMillis(7, 0)).isEqualTo(1_000);
    assertThat(tracker.leaderSilentMillis(7, nowMillis.get() - 400)).isEqualTo(400);
    beat("b", 6);
    assertThat(tracker.leaderSilentMillis(7, 0)).isEqualTo(1_000);
    beat("b", 8);
    assertThat(tracker.leaderSilentMillis(8, 0)).isZero();
  }

  @Test
  void aLeaderIsHeardThroughAnyPartition() throws Exception {
    int home = partitionOf("a");
    beatOfThisCoordinator();
    for (int i = 0; i < 5; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      beatOfThisCoordinator();
      beat("a", "a-1", 7, (home + 1) % Topics.NODES_PARTITIONS);
    }
    assertThat(tracker.leaderSilentMillis(7, 0)).isZero();
    for (int i = 1; i <= 3; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      beat(OWN, OWN + "-1", 0, home);
      assertThat(tracker.leaderSilentMillis(7, 0))
          .as("one partition is enough to notice its end")
          .isEqualTo(i * HEARTBEAT_MILLIS);
    }
  }

  private static int partitionOf(String nodeId) {
    return Topics.partitionOf(nodeId, Topics.NODES_PARTITIONS);
  }

  private void beatOfThisCoordinator() throws Exception {
    for (int partition = 0; partition < Topics.NODES_PARTITIONS; partition++) {
      beat(OWN, OWN + "-1", 0, partition);
    }
  }

  private void beat(String nodeId, long leadingTerm) throws Exception {
    beat(nodeId, nodeId + "-1", leadingTerm, partitionOf(nodeId));
  }

  private void beat(String nodeId, String incarnation, long leadingTerm, int partition)
      throws Exception {
    NodeHeartbeat beat =
        new NodeHeartbeat(
            nodeId,
            nodeId,
            incarnation,
            Set.of("coordinator"),
            "http://127.0.0.1:1",
            0,
            new NodeHeartbeat.Load(0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
            Map.of(),
            leadingTerm,
            FeatureLevels.OF_THIS_RELEASE);
    byte[] key = nodeId.getBytes(StandardCharsets.UTF_8);
    log.open(TOPICS.nodes(), partition)
        .append(
            RawRecord.keyed(key, Json.write(beat)),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                assertThat(offset).isNotNegative();
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }
}
