package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Until when a shard's routing says that none of its primaries was ever started. */
class NeverStartedShardTest {

  private static final ShardId SHARD = new ShardId("a-uuid", 0);

  private ClusterState state =
      Clusters.with(Clusters.node("p", NodeInfo.PRIMARY), Clusters.node("r", NodeInfo.REPLICA))
          .apply(new ClusterEvent.IndexCreated(created()));

  private static IndexMetadata created() {
    return Clusters.index("a", 1, 1).withShards(ShardRouting::asNeverStarted);
  }

  private ShardRouting after(ClusterEvent... events) {
    state = Clusters.apply(state, List.of(events));
    return state.shard(SHARD).orElseThrow();
  }

  private static ClusterEvent primaryAssigned(String copyId, long term) {
    return new ClusterEvent.PrimaryAssigned(SHARD, copyId, "p", term);
  }

  private static ClusterEvent started(String copyId, long term) {
    return new ClusterEvent.CopyStarted(SHARD, copyId, term);
  }

  @Test
  void itIsNotAffectedByAssignmentsOfPrimariesThatDoNotStart() {
    ShardRouting shard =
        after(
            primaryAssigned("c1", 1),
            new ClusterEvent.ReplicaAssigned(SHARD, "a-0-1", "c2", "r"),
            started("c1", 0),
            new ClusterEvent.CopyUnassigned(SHARD, "c1", "NODE_LEFT"),
            primaryAssigned("c3", 2),
            new ClusterEvent.IndexClosed("a-uuid"),
            new ClusterEvent.IndexOpened("a-uuid"));

    assertThat(shard.neverStarted()).isTrue();
    assertThat(shard.primaryTerm()).isEqualTo(3);
  }

  @Test
  void aStartedReplicaIsNoStartedPrimary() {
    ShardRouting shard =
        after(
            primaryAssigned("c1", 1),
            new ClusterEvent.ReplicaAssigned(SHARD, "a-0-1", "c2", "r"),
            started("c2", 1));
    assertThat(shard.neverStarted()).isTrue();

    ShardRouting promoted = after(new ClusterEvent.ReplicaPromoted(SHARD, "c2", 2, "NODE_LEFT"));
    assertThat(promoted.neverStarted()).isTrue();
    assertThat(after(started("c2", 2)).neverStarted()).isFalse();
  }

  @Test
  void aStartIsNeverForgotten() {
    ShardRouting shard =
        after(
            primaryAssigned("c1", 1),
            started("c1", 1),
            new ClusterEvent.NodeJoined(
                new NodeInfo("p", "p", "p-2", Set.of(NodeInfo.PRIMARY), "http://p", Map.of())),
            new ClusterEvent.CopyUnassigned(SHARD, "c1", "NODE_LEFT"),
            primaryAssigned("c2", 2));

    assertThat(shard.primary().started()).isFalse();
    assertThat(shard.neverStarted()).isFalse();
  }

  @Test
  void aHandOverToAStartedTargetIsAStart() {
    ShardRouting shard =
        after(
            primaryAssigned("c1", 1),
            new ClusterEvent.RelocationStarted(SHARD, "c1", "c2", "r"),
            new ClusterEvent.HandOverStarted(SHARD, "c2", 2),
            started("c2", 2),
            new ClusterEvent.RelocationFinished(SHARD, "c2"));

    assertThat(shard.primary().started()).isTrue();
    assertThat(shard.neverStarted()).isFalse();
  }

  @Test
  void aRevivalDeletesFromTheLog() {
    ShardRouting shard =
        after(
            primaryAssigned("c1", 1),
            new ClusterEvent.ShardRevived(SHARD, "c2", "r", new Revival(5, 10, 1)));

    assertThat(shard.neverStarted()).isFalse();
  }

  @Test
  void copiesThatAreAddedOrRemovedChangeNothing() {
    ShardRouting shard =
        after(
            new ClusterEvent.CopiesChanged(
                SHARD, List.of(CopyRouting.unassigned("c1", true, "INDEX_CREATED"))));

    assertThat(shard.neverStarted()).isTrue();
  }

  @Test
  void onlyAStartedPrimaryOfTheNewestTermServes() {
    ShardRouting assigned = after(primaryAssigned("c1", 1));
    assertThat(assigned.isServedBy("c1", 1)).isFalse();

    ShardRouting serving = after(started("c1", 1));
    assertThat(serving.isServedBy("c1", 1)).isTrue();
    assertThat(serving.isServedBy("c1", 2)).isFalse();
    assertThat(serving.isServedBy("c2", 1)).isFalse();

    ShardRouting handingOver =
        after(
            new ClusterEvent.RelocationStarted(SHARD, "c1", "c2", "r"),
            new ClusterEvent.HandOverStarted(SHARD, "c2", 2));
    assertThat(handingOver.isServedBy("c1", 1)).isFalse();
  }

  /** Older processes can't read the field, and records without it tell nothing. */
  @Test
  void theFieldBelongsToLevel2() {
    assertThat(new ClusterEvent.IndexCreated(created()).since()).isEqualTo(2);
    assertThat(
            new ClusterEvent.IndexRolledOver(
                    created(), new ClusterEvent.AliasesChanged(Map.of(), List.of()))
                .since())
        .isEqualTo(2);
    assertThat(new ClusterEvent.IndexCreated(Clusters.index("a", 1, 1)).since()).isEqualTo(1);
    assertThat(Clusters.index("a", 1, 1).shard(0).neverStarted()).isFalse();
  }
}
