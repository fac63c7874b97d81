package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas are built on node {@code to} from primaries on node {@code from}. */
class RecoveryThrottleTest {

  private final List<ShardRouting> shards = new ArrayList<>();
  private ClusterState state;

  @BeforeEach
  void twoAtATime() {
    state =
        Clusters.with(
            Clusters.node("from", NodeInfo.PRIMARY),
            Clusters.node("to", NodeInfo.REPLICA),
            Clusters.node("other", NodeInfo.REPLICA));
    limit(ClusterAllocationSettings.CONCURRENT_RECOVERIES, 2);
  }

  private void limit(String setting, int limit) {
    Map<String, String> settings = new TreeMap<>(state.persistentSettings());
    settings.put(setting, Integer.toString(limit));
    state = state.apply(new ClusterEvent.ClusterSettingsChanged(settings, Map.of()));
  }

  private static CopyRouting primary(String nodeId) {
    return new CopyRouting("p", true, CopyRouting.State.STARTED, nodeId, "");
  }

  private static CopyRouting replica(CopyRouting.State copyState, String nodeId, String reason) {
    return new CopyRouting("r", false, copyState, nodeId, reason);
  }

  private void shard(CopyRouting primary, CopyRouting replica) {
    shards.add(new ShardRouting(new ShardId("u", shards.size()), 1, List.of(primary, replica)));
  }

  private void building(int count, String from, String to) {
    for (int i = 0; i < count; i++) {
      shard(primary(from), replica(CopyRouting.State.INITIALIZING, to, "NODE_LEFT"));
    }
  }

  /**
   * The decision for a replica that node {@code to} recovers from a primary on node {@code from}.
   */
  private Verdict decide(CopyRouting replica) {
    shard(primary("from"), replica);
    return decide(shards.getLast(), replica);
  }

  private Verdict decide(ShardRouting shard, CopyRouting copy) {
    ClusterState now =
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata("a", "u", 0, Map.of(), 1, "{}", 1, null, shards)));
    return RecoveryThrottle.decide(new Candidate(now, shard, copy, now.nodes().get("to")));
  }

  private Verdict decide() {
    return decide(CopyRouting.unassigned("r", false, "NODE_LEFT"));
  }

  @Test
  void aCopyRecoversIfFewerRecoveriesRunThanTheLimit() {
    building(1, "from", "to");

    assertThat(decide().answer()).isEqualTo(Answer.YES);
  }

  @Test
  void incomingRecoveriesOfANodeAreLimitedRegardlessOfTheirSource() {
    building(2, "other", "to");

    Verdict verdict = decide();

    assertThat(verdict.answer()).isEqualTo(Answer.THROTTLE);
    assertThat(verdict.explanation())
        .contains("incoming shard recoveries [2]")
        .contains(ClusterAllocationSettings.CONCURRENT_INCOMING + "=2");
  }

  @Test
  void outgoingRecoveriesOfANodeAreLimitedRegardlessOfTheirTarget() {
    building(2, "from", "other");

    Verdict verdict = decide();

    assertThat(verdict.answer()).isEqualTo(Answer.THROTTLE);
    assertThat(verdict.explanation())
        .contains("outgoing shard recoveries [2] on the node [from]")
        .contains(ClusterAllocationSettings.CONCURRENT_OUTGOING + "=2");
  }

  @Test
  void eachDirectionMayHaveALimitOfItsOwn() {
    limit(ClusterAllocationSettings.CONCURRENT_INCOMING, 3);
    building(2, "other", "to");
    assertThat(decide().answer()).isEqualTo(Answer.YES);

    limit(ClusterAllocationSettings.CONCURRENT_OUTGOING, 1);
    building(1, "from", "other");
    assertThat(decide().answer()).isEqualTo(Answer.THROTTLE);
  }

  @Test
  void startedAndUnassignedCopiesAreNotCounted() {
    for (int i = 0; i < 5; i++) {
      shard(primary("from"), replica(CopyRouting.State.STARTED, "to", ""));
      shard(primary("from"), CopyRouting.unassigned("r", false, "NODE_LEFT"));
    }

    assertThat(decide().answer()).isEqualTo(Answer.YES);
  }

  @Test
  void emptyCopiesOfANewIndexAreNeitherCountedNorThrottled() {
    for (int i = 0; i < 5; i++) {
      shard(primary("from"), replica(CopyRouting.State.INITIALIZING, "to", "INDEX_CREATED"));
    }
    assertThat(decide().answer()).isEqualTo(Answer.YES);

    building(2, "from", "to");
    assertThat(decide(CopyRouting.unassigned("r", false, "INDEX_CREATED")).answer())
        .isEqualTo(Answer.YES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"INDEX_CREATED", "NODE_LEFT"})
  void anUnassignedPrimaryIsNeverThrottled(String reason) {
    building(2, "from", "to");
    CopyRouting lost = CopyRouting.unassigned("p", true, reason);
    ShardRouting shard = new ShardRouting(new ShardId("lost", 0), 1, List.of(lost));

    assertThat(decide(shard, lost).answer()).isEqualTo(Answer.YES);
  }
}
