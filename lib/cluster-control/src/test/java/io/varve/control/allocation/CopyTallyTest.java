package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The copies that count, and where. */
class CopyTallyTest {

  private static final int SHARDS = 12;
  private static final List<String> NODES = List.of("a", "b", "c", "d");

  private static ClusterState cluster() {
    return Clusters.with(
            NODES.stream()
                .map(id -> Clusters.node(id, NodeInfo.PRIMARY, NodeInfo.REPLICA))
                .toArray(NodeInfo[]::new))
        .apply(new ClusterEvent.IndexCreated(Clusters.index("books", SHARDS, 2)));
  }

  @Test
  void copiesOfClosedIndicesStayButArePlacedNowhere() {
    ShardId shard = new ShardId("books-uuid", 0);
    ClusterState closed =
        cluster()
            .apply(new ClusterEvent.PrimaryAssigned(shard, "p", "a", 1))
            .apply(new ClusterEvent.IndexClosed("books-uuid"));

    CopyTally tally = CopyTally.of(closed);

    assertThat(tally.staying("a")).isEqualTo(1);
    assertThat(tally.emptiestFirst()).containsExactlyElementsOf(NODES);
  }

  @Test
  void aReplicaOfANewIndexIsNoRecovery() {
    ShardId shard = new ShardId("books-uuid", 0);
    ClusterState created =
        cluster()
            .apply(new ClusterEvent.PrimaryAssigned(shard, "p", "a", 1))
            .apply(new ClusterEvent.CopyStarted(shard, "p", 1))
            .apply(new ClusterEvent.ReplicaAssigned(shard, "books-0-1", "r", "b"));
    ClusterState lost =
        created
            .apply(new ClusterEvent.CopyUnassigned(shard, "r", "NODE_LEFT"))
            .apply(new ClusterEvent.ReplicaAssigned(shard, "r", "r2", "b"));

    assertThat(CopyTally.of(created).incoming("b")).isZero();
    assertThat(CopyTally.of(lost).incoming("b")).isEqualTo(1);
    assertThat(CopyTally.of(lost).outgoing("a")).isEqualTo(1);
    assertThat(lost.shard(shard).orElseThrow().copy("r2").orElseThrow().state())
        .isEqualTo(State.INITIALIZING);
  }
}
