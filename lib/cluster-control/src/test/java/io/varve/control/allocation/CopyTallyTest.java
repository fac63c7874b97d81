package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tally that follows a state equals one that counts the state anew. */
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

  private static ClusterEvent anyEvent(Random random, ShardRouting shard, int step) {
    CopyRouting copy = shard.copies().get(random.nextInt(shard.copies().size()));
    String id = copy.copyId();
    if (copy.started() && !copy.primary() && random.nextInt(3) == 0) {
      return new ClusterEvent.ReplicaPromoted(
          shard.shard(), id, shard.newestTerm() + 1, "NODE_LEFT");
    }
    String node = NODES.get(random.nextInt(NODES.size()));
    ShardId shardId = shard.shard();
    return switch (random.nextInt(5)) {
      case 0 -> new ClusterEvent.CopyUnassigned(shardId, id, "NODE_LEFT");
      case 1 -> new ClusterEvent.CopyStarted(shardId, id, shard.primaryTerm());
      case 2 -> new ClusterEvent.RelocationStarted(shardId, id, "target-" + step, node);
      default ->
          copy.primary()
              ? new ClusterEvent.PrimaryAssigned(
                  shardId, "copy-" + step, node, shard.newestTerm() + 1)
              : new ClusterEvent.ReplicaAssigned(shardId, id, "copy-" + step, node);
    };
  }

  private static List<Integer> counts(CopyTally tally) {
    return NODES.stream()
        .flatMap(node -> Stream.of(tally.staying(node), tally.incoming(node), tally.outgoing(node)))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itFollowsTheStateThroughAnyEvents(long seed) {
    Random random = new Random(seed);
    ClusterState state = cluster();
    CopyTally tally = CopyTally.of(state);
    for (int step = 0; step < 500; step++) {
      ShardRouting before =
          state.shard(new ShardId("books-uuid", random.nextInt(SHARDS))).orElseThrow();
      state = state.apply(anyEvent(random, before, step));
      tally.replace(before, state.shard(before.shard()).orElseThrow());

      CopyTally anew = CopyTally.of(state);
      assertThat(counts(tally)).as("step %d", step).isEqualTo(counts(anew));
      assertThat(tally.emptiestFirst())
          .as("step %d", step)
          .containsExactlyElementsOf(anew.emptiestFirst().toList());
    }
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

  @Test
  void aReplicaOfARestartedNodeIsARecoveryAlsoIfItWasCreatedWithItsIndex() {
    ShardId shard = new ShardId("books-uuid", 0);
    ClusterState restarted =
        cluster()
            .apply(new ClusterEvent.PrimaryAssigned(shard, "p", "a", 1))
            .apply(new ClusterEvent.CopyStarted(shard, "p", 1))
            .apply(new ClusterEvent.ReplicaAssigned(shard, "books-0-1", "r", "b"))
            .apply(new ClusterEvent.CopyStarted(shard, "r", 1))
            .apply(new ClusterEvent.NodeJoined(restartedNode("b")));

    assertThat(restarted.shard(shard).orElseThrow().copy("r").orElseThrow().state())
        .isEqualTo(State.INITIALIZING);
    assertThat(CopyTally.of(restarted).incoming("b")).isEqualTo(1);
    assertThat(CopyTally.of(restarted).outgoing("a")).isEqualTo(1);
  }

  private static NodeInfo restartedNode(String id) {
    NodeInfo before = Clusters.node(id, NodeInfo.PRIMARY, NodeInfo.REPLICA);
    return new NodeInfo(id, before.name(), "another run", before.roles(), before.url());
  }
}
