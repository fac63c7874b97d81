package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.ClusterViewTest;
import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a process and a leader treat the cluster's feature level. */
class FeatureLevelTest {

  private static final NodeInfo NODE = Clusters.node("n", NodeInfo.PRIMARY);

  private final InMemoryMessageLog messages = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final PartitionLog log = messages.open("cluster", 0);
  private final Membership membership = new Membership(5_000, 5_000);
  private final List<String> lost = new ArrayList<>();
  private long nextSeqNo;

  private void append(RawRecord record) throws Exception {
    log.append(
        record,
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

  private void append(ClusterEvent event) throws Exception {
    append(
        RecordHeader.data(
            1,
            nextSeqNo++,
            event.entity().getBytes(StandardCharsets.UTF_8),
            Json.mapper().writerFor(ClusterEvent.class).writeValueAsBytes(event)));
  }

  private ClusterView view(FeatureLevels supported) {
    ClusterView view = new ClusterView(log, supported, lost::add);
    view.start();
    return view;
  }

  private static NodeHeartbeat beat(NodeInfo node, FeatureLevels levels) {
    NodeHeartbeat beat = Clusters.heartbeat(node);
    return new NodeHeartbeat(
        beat.nodeId(),
        beat.name(),
        beat.incarnation(),
        beat.roles(),
        beat.url(),
        0,
        beat.load(),
        Map.of(),
        0,
        levels);
  }

  private List<ClusterEvent> changes(ClusterState state, NodeHeartbeat beat) {
    return membership.changes(
        state, Map.of(beat.nodeId(), new Membership.Sign(beat, 100)), _ -> 0, 100);
  }

  @Test
  void sendersOfAnotherLevelAreRefusedInTheOrderOfTheirIds() {
    NodeInfo second = Clusters.node("o", NodeInfo.PRIMARY);
    NodeInfo silent = Clusters.node("p", NodeInfo.PRIMARY);
    FeatureLevels newer = new FeatureLevels(2, 2);
    Map<String, Membership.Sign> signs =
        Map.of(
            "o", new Membership.Sign(beat(second, newer), 100),
            "n", new Membership.Sign(beat(NODE, newer), 100),
            "p", new Membership.Sign(beat(silent, newer), 0),
            "q",
                new Membership.Sign(
                    beat(Clusters.node("q", NodeInfo.PRIMARY), new FeatureLevels(1, 2)), 100));

    List<Membership.Refused> refused = membership.refused(Clusters.with(), signs, 5_000);

    assertThat(refused).extracting(Membership.Refused::node).containsExactly(NODE, second);
    assertThat(refused)
        .extracting(Membership.Refused::reason)
        .allMatch(reason -> reason.endsWith("the cluster is at feature level 1"));
    assertThat(membership.refused(Clusters.with(), signs, 4_999)).hasSize(3);
  }

  @Test
  void theLevelRisesAndNeverGoesDown() {
    ClusterState state = Clusters.with();
    assertThat(state.featureLevel()).isEqualTo(1);
    assertThat(state.has(Feature.CLUSTER_LOG_SNAPSHOTS)).isFalse();

    ClusterState raised = state.apply(new ClusterEvent.FeatureLevelRaised(2));
    assertThat(raised.featureLevel()).isEqualTo(2);
    assertThat(raised.has(Feature.CLUSTER_LOG_SNAPSHOTS)).isTrue();
    assertThat(raised.apply(new ClusterEvent.FeatureLevelRaised(1)).featureLevel()).isEqualTo(2);
  }

  @Test
  void noFeatureAndNoKindOfRecordIsNewerThanTheNewestLevel() {
    assertThat(Feature.values()).allMatch(feature -> feature.since() <= FeatureLevels.NEWEST);
    assertThat(RecordHeader.Kind.values()).allMatch(kind -> kind.since() <= FeatureLevels.NEWEST);
    assertThat(ClusterViewTest.events()).allMatch(event -> event.since() <= FeatureLevels.NEWEST);
    assertThat(Arrays.stream(Feature.values()).mapToInt(Feature::since).max())
        .hasValue(FeatureLevels.NEWEST);
  }

  @Test
  void severalEventsAreOfTheHighestLevelAmongThem() {
    ClusterEvent left = new ClusterEvent.NodeLeft("n", "silent");
    assertThat(ClusterEvent.together(List.of(left, left)).since()).isEqualTo(1);
    assertThat(ClusterEvent.together(List.of(left, new ClusterEvent.FeatureLevelRaised(2))).since())
        .isEqualTo(2);
  }

  @Test
  void aProcessLeavesAtALevelThatItDoesNotSupportBeforeItActsOnIt() throws Exception {
    append(RecordHeader.fence(1, "a"));
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    ClusterView view = view(new FeatureLevels(1, 1));
    append(new ClusterEvent.FeatureLevelRaised(2));
    append(new ClusterEvent.NodeJoined(NODE));

    assertThat(lost)
        .containsExactly(
            "the cluster is at feature level 2, this process supports level 1: start it with a"
                + " release that supports the cluster's level");
    assertThat(view.current().version()).isEqualTo(1);
  }

  @Test
  void aNewerProcessLeavesAClusterThatIsBelowItsLevels() throws Exception {
    append(RecordHeader.fence(1, "a"));
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    view(new FeatureLevels(2, 3));

    assertThat(lost).singleElement().asString().contains("level 1", "levels 2 to 3");
  }

  @Test
  void aNewerProcessReadsEventsBelowItsLevels() throws Exception {
    append(RecordHeader.fence(1, "a"));
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    append(new ClusterEvent.FeatureLevelRaised(2));
    ClusterView view = view(new FeatureLevels(2, 3));

    assertThat(lost).isEmpty();
    assertThat(view.current().featureLevel()).isEqualTo(2);
  }

  @Test
  void anOldNodeDoesNotJoinARaisedCluster() {
    ClusterState state = Clusters.with().apply(new ClusterEvent.FeatureLevelRaised(2));

    assertThat(changes(state, beat(NODE, FeatureLevels.UNSAID))).isEmpty();
    assertThat(Membership.refused(state, List.of(beat(NODE, FeatureLevels.UNSAID))))
        .containsExactly(
            new Membership.Refused(
                NODE, "it supports feature level 1, the cluster is at feature level 2"));
    assertThat(changes(state, beat(NODE, new FeatureLevels(2, 3))))
        .containsExactly(new ClusterEvent.NodeJoined(NODE));
  }

  @Test
  void aNodeIsListedAsRefusedWhileItSendsHeartbeats() {
    ClusterState state = Clusters.with().apply(new ClusterEvent.FeatureLevelRaised(2));
    Map<String, Membership.Sign> signs =
        Map.of("n", new Membership.Sign(beat(NODE, FeatureLevels.UNSAID), 100));

    assertThat(membership.refused(state, signs, 5_099)).hasSize(1);
    assertThat(membership.refused(state, signs, 5_100)).isEmpty();
  }

  @Test
  void aNewerNodeDoesNotJoinAClusterBelowItsLevels() {
    assertThat(changes(Clusters.with(), beat(NODE, new FeatureLevels(2, 3)))).isEmpty();
  }

  @Test
  void aMemberThatComesBackWithAnOldReleaseLeaves() {
    ClusterState state = Clusters.with(NODE).apply(new ClusterEvent.FeatureLevelRaised(2));

    assertThat(changes(state, beat(NODE, FeatureLevels.UNSAID)))
        .containsExactly(
            new ClusterEvent.NodeLeft(
                "n", "it supports feature level 1, the cluster is at feature level 2"));
  }

  @Test
  void aHeartbeatWithoutAFeatureLevelIsOfTheFirstLevel() {
    String old =
        new String(Json.write(Clusters.heartbeat(NODE)), StandardCharsets.UTF_8)
            .replaceFirst(",\"feature_levels\":\\{[^}]*}", "");
    assertThat(old).doesNotContain("feature_levels");
    assertThat(Json.read(old.getBytes(StandardCharsets.UTF_8), NodeHeartbeat.class).featureLevels())
        .isEqualTo(FeatureLevels.UNSAID);
  }

  @Test
  void levelsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new FeatureLevels(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FeatureLevels(2, 1)).hasMessageContaining("2, 1");
    assertThatThrownBy(() -> new ClusterEvent.FeatureLevelRaised(0)).hasMessageContaining("was 0");
  }
}
