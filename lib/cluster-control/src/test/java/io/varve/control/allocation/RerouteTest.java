package io.varve.control.allocation;

import static io.varve.cluster.NodeInfo.PRIMARY;
import static io.varve.cluster.NodeInfo.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes for primaries, one for replicas; an index of one shard and one replica. */
class RerouteTest {

  private final AtomicInteger ids = new AtomicInteger();
  private final Reroute reroute = new Reroute(() -> "new-" + ids.incrementAndGet());

  private final ClusterState placed =
      placed(
          Clusters.with(
              Clusters.node("p1", PRIMARY),
              Clusters.node("p2", PRIMARY),
              Clusters.node("r1", REPLICA)));

  private static ClusterState placed(ClusterState nodes) {
    ClusterState state = nodes.apply(new ClusterEvent.IndexCreated(Clusters.index("i", 1, 1)));
    AtomicInteger copies = new AtomicInteger();
    Reconciler reconciler = new Reconciler(() -> "copy-" + copies.incrementAndGet());
    state =
        Clusters.apply(
            state, reconciler.reconcile(state, new Reconciler.Situation(Map.of(), Set.of(), 0)));
    ShardRouting shard = state.indices().get("i").shard(0);
    for (CopyRouting copy : shard.copies()) {
      state =
          state.apply(
              new ClusterEvent.CopyStarted(shard.shard(), copy.copyId(), shard.primaryTerm()));
    }
    return state;
  }

  private static ShardRouting shard(ClusterState state) {
    return state.indices().get("i").shard(0);
  }

  private Reroute.Outcome plan(ClusterState state, RerouteCommand command) {
    return reroute.plan(state, List.of(command)).getFirst();
  }

  @Test
  void aMovedPrimaryServesWhileItsTargetRecovers() {
    String from = shard(placed).primary().nodeId();
    String to = "p1".equals(from) ? "p2" : "p1";

    Reroute.Outcome outcome = plan(placed, new RerouteCommand.Move("i", 0, from, to));

    ClusterState moved = Clusters.apply(placed, outcome.events());
    assertThat(outcome.done()).isTrue();
    assertThat(shard(moved).primary()).isEqualTo(shard(placed).primary());
    assertThat(shard(moved).relocations())
        .singleElement()
        .returns(to, moving -> moving.target().nodeId())
        .returns(State.INITIALIZING, moving -> moving.target().state());
  }

  @Test
  void aCancelledReplicaIsUnassignedAndMayBeAllocatedByReroute() {
    ClusterState state =
        Clusters.apply(
            placed, plan(placed, new RerouteCommand.Cancel("i", 0, "r1", false)).events());
    assertThat(shard(state).replicas().getFirst().state()).isEqualTo(State.UNASSIGNED);

    state =
        Clusters.apply(
            state, plan(state, new RerouteCommand.AllocateReplica("i", 0, "r1")).events());
    assertThat(shard(state).replicas().getFirst().nodeId()).isEqualTo("r1");
  }

  @Test
  void aCommandIsAppliedToTheResultOfThoseBeforeIt() {
    List<Reroute.Outcome> outcomes =
        reroute.plan(
            placed,
            List.of(
                new RerouteCommand.Cancel("i", 0, "r1", false),
                new RerouteCommand.AllocateReplica("i", 0, "r1"),
                new RerouteCommand.AllocateReplica("i", 0, "r1")));

    assertThat(outcomes).extracting(Reroute.Outcome::done).containsExactly(true, true, false);
  }

  @Test
  void aPrimaryIsAllocatedByRerouteOnlyIfDataLossIsAccepted() {
    String node = shard(placed).primary().nodeId();
    ClusterState lost =
        Clusters.apply(
            placed, plan(placed, new RerouteCommand.Cancel("i", 0, node, true)).events());

    assertThat(plan(lost, new RerouteCommand.AllocatePrimary("i", 0, node, false, false)).done())
        .isFalse();
    assertThat(plan(lost, new RerouteCommand.AllocatePrimary("i", 0, node, false, true)).done())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "z, 0, r1, no such index [z]",
    "i, 9, r1, no such shard [9] in index [i]",
    "i, 0, p9, failed to find it on node p9",
  })
  void anImpossibleCancelIsRefusedWithAReason(String index, int shard, String node, String reason) {
    Reroute.Outcome outcome = plan(placed, new RerouteCommand.Cancel(index, shard, node, false));

    assertThat(outcome.events()).isEmpty();
    assertThat(outcome.error().reason()).contains(reason);
    assertThat(outcome.verdicts())
        .singleElement()
        .returns("cancel_allocation_command", AllocationDeciders.Verdict::decider);
  }

  @Test
  void aPrimaryDoesNotMoveToANodeForReplicas() {
    ClusterState state =
        Clusters.apply(
            placed, plan(placed, new RerouteCommand.Cancel("i", 0, "r1", false)).events());
    String from = shard(state).primary().nodeId();

    Reroute.Outcome outcome = plan(state, new RerouteCommand.Move("i", 0, from, "r1"));

    assertThat(outcome.done()).isFalse();
    assertThat(outcome.verdicts())
        .filteredOn(verdict -> !verdict.yes())
        .extracting(AllocationDeciders.Verdict::decider)
        .containsExactly("node_role");
  }
}
