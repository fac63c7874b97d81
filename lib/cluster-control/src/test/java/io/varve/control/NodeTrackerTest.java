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

  private final AtomicLong nowMillis = new AtomicLong(100_000);
  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final NodeTracker tracker =
      new NodeTracker(log, TOPICS, nowMillis::get, HEARTBEAT_MILLIS, Runnable::run);

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
  void nodesWithALongHeartbeatIntervalAreNotSilent() throws Exception {
    beat("a", 0);
    long began = tracker.listeningSinceMillis();
    for (int i = 0; i < 5; i++) {
      nowMillis.addAndGet(HEARTBEAT_MILLIS);
      assertThat(tracker.hears()).isTrue();
      beat("a", 0);
    }
    assertThat(tracker.listeningSinceMillis()).isEqualTo(began);
  }

  @Test
  void ifNoHeartbeatArrivesTheLogIsSilentAndNotTheNodes() throws Exception {
    AtomicInteger news = new AtomicInteger();
    beat("a", 0);
    tracker.onNews(news::incrementAndGet);
    nowMillis.addAndGet(4 * HEARTBEAT_MILLIS + 1);
    assertThat(tracker.hears()).isFalse();
    assertThat(tracker.silentMillis()).isEqualTo(4 * HEARTBEAT_MILLIS + 1);
    beat("a", 0);
    assertThat(tracker.hears()).isTrue();
    assertThat(tracker.listeningSinceMillis()).isEqualTo(nowMillis.get());
    assertThat(news).as("told that the log is heard again").hasValue(1);
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
            HEARTBEAT_MILLIS,
            Runnable::run,
            (beat, later) -> proven.contains(beat.nodeId()) || !waiting.add(later))) {
      careful.start();
      AtomicInteger news = new AtomicInteger();
      beat("a", 9);
      careful.onNews(news::incrementAndGet);
      assertThat(careful.signs()).isEmpty();
      assertThat(careful.leaderHeardMillis(9)).isEqualTo(careful.listeningSinceMillis());
      assertThat(careful.hears()).as("the topic delivers").isTrue();

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
    beat("a", 7);
    long said = nowMillis.get();
    nowMillis.addAndGet(1_000);
    beat("a", 0);
    assertThat(tracker.leaderHeardMillis(7)).isEqualTo(said);
    beat("b", 6);
    assertThat(tracker.leaderHeardMillis(7)).isEqualTo(said);
    beat("b", 8);
    assertThat(tracker.leaderHeardMillis(8)).isEqualTo(nowMillis.get());
  }

  private void beat(String nodeId, long leadingTerm) throws Exception {
    NodeHeartbeat beat =
        new NodeHeartbeat(
            nodeId,
            nodeId,
            nodeId + "-1",
            Set.of("coordinator"),
            "http://127.0.0.1:1",
            0,
            new NodeHeartbeat.Load(0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
            Map.of(),
            leadingTerm,
            FeatureLevels.OF_THIS_RELEASE);
    byte[] key = nodeId.getBytes(StandardCharsets.UTF_8);
    log.open(TOPICS.nodes(), 0)
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
