package io.varve.control.allocation;

import static io.varve.cluster.NodeInfo.COORDINATOR;
import static io.varve.cluster.NodeInfo.PRIMARY;
import static io.varve.cluster.NodeInfo.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A reroute command that cannot be applied is refused with its reason and changes nothing. */
class RerouteRefusalsTest {

  private final AtomicInteger ids = new AtomicInteger();
  private final Reroute reroute = new Reroute(() -> "new-" + ids.incrementAndGet());

  /** Two nodes for primaries, one for replicas, one coordinator; no copy is assigned. */
  private final ClusterState unassigned =
      Clusters.with(
              Clusters.node("p1", PRIMARY),
              Clusters.node("p2", PRIMARY),
              Clusters.node("r1", REPLICA),
              Clusters.node("c1", COORDINATOR))
          .apply(new ClusterEvent.IndexCreated(Clusters.index("i", 1, 1)));

  private final ClusterState initializing =
      unassigned.apply(
          new ClusterEvent.PrimaryAssigned(
              shard(unassigned).shard(), shard(unassigned).primary().copyId(), "p1", 1));

  private final ClusterState started =
      initializing.apply(
          new ClusterEvent.CopyStarted(
              shard(initializing).shard(), shard(initializing).primary().copyId(), 1));

  private static ShardRouting shard(ClusterState state) {
    return state.indices().get("i").shard(0);
  }

  private Reroute.Outcome plan(ClusterState state, RerouteCommand command) {
    Reroute.Outcome outcome = reroute.plan(state, List.of(command)).getFirst();
    assertThat(outcome.command()).isEqualTo(command);
    return outcome;
  }

  private String refusal(ClusterState state, RerouteCommand command) {
    Reroute.Outcome outcome = plan(state, command);
    assertThat(outcome.done()).isFalse();
    assertThat(outcome.events()).isEmpty();
    assertThat(outcome.error().status()).isEqualTo(400);
    return outcome.error().reason();
  }

  private static RerouteCommand.AllocatePrimary primary(String node, boolean stale, boolean sure) {
    return new RerouteCommand.AllocatePrimary("i", 0, node, stale, sure);
  }

  @Test
  void ofAShardThatIsNot() {
    assertThat(refusal(started, new RerouteCommand.Cancel("i", 1, "p1", false)))
        .endsWith("no such shard [1] in index [i]");
    assertThat(refusal(started, new RerouteCommand.Cancel("i", -1, "p1", false)))
        .endsWith("no such shard [-1] in index [i]");
  }

  @Test
  void ofAMove() {
    assertThat(refusal(started, new RerouteCommand.Move("i", 0, "r1", "p2")))
        .isEqualTo("[move_allocation] can't move 0, failed to find it on node {r1}{r1}");
    assertThat(refusal(started, new RerouteCommand.Move("i", 0, "p1", "nowhere")))
        .isEqualTo(
            "[move_allocation] can't move [i][0] from {p1}{p1} to nowhere: target [nowhere] is not"
                + " a data node.");
    assertThat(refusal(started, new RerouteCommand.Move("i", 0, "p1", "c1")))
        .isEqualTo(
            "[move_allocation] can't move [i][0] from {p1}{p1} to {c1}{c1}: target [c1] is not a"
                + " data node.");
    assertThat(refusal(initializing, new RerouteCommand.Move("i", 0, "p1", "p2")))
        .isEqualTo("[move_allocation] can't move 0, shard is not started (state = INITIALIZING]");
    assertThat(refusal(started, new RerouteCommand.Move("i", 0, "p1", "r1")))
        .startsWith(
            "[move_allocation] can't move 0, from p1, to r1, since its not allowed, reason: ");
  }

  @Test
  void refusesToMoveACopyThatIsAlreadyRelocating() {
    RerouteCommand.Move move = new RerouteCommand.Move("i", 0, "p1", "p2");
    ClusterState moving = Clusters.apply(started, plan(started, move).events());

    assertThat(refusal(moving, move))
        .isEqualTo("[move_allocation] can't move 0, shard is not started (state = RELOCATING]");
  }

  @Test
  void refusesToCancelAPrimaryWithoutAllowPrimary() {
    assertThat(refusal(started, new RerouteCommand.Cancel("i", 0, "p1", false)))
        .isEqualTo(
            "[cancel_allocation] can't cancel 0 on node {p1}{p1}, shard is primary and started");
  }

  @Test
  void aMoveThatIsCancelledLeavesTheCopyWhereItWas() {
    RerouteCommand.Move move = new RerouteCommand.Move("i", 0, "p1", "p2");
    ClusterState moving = Clusters.apply(started, plan(started, move).events());

    Reroute.Outcome outcome = plan(moving, new RerouteCommand.Cancel("i", 0, "p2", false));

    assertThat(outcome.done()).isTrue();
    assertThat(outcome.verdicts())
        .singleElement()
        .returns("shard 0 on node {p2}{p2} can be cancelled", v -> v.explanation());
    ClusterState after = Clusters.apply(moving, outcome.events());
    assertThat(shard(after).relocations()).isEmpty();
    assertThat(shard(after).primary().nodeId()).isEqualTo("p1");
    assertThat(outcome.events())
        .containsExactly(
            Reroute.cancelled(
                shard(moving), shard(moving).relocations().getFirst(), "REROUTE_CANCELLED"));
  }

  @Test
  void ofAReplica() {
    assertThat(refusal(started, new RerouteCommand.AllocateReplica("i", 0, "nowhere")))
        .isEqualTo("[allocate_replica] allocation can only be done on data nodes, not [nowhere]");
    assertThat(refusal(started, new RerouteCommand.AllocateReplica("i", 0, "c1")))
        .isEqualTo("[allocate_replica] allocation can only be done on data nodes, not [{c1}{c1}]");
    assertThat(refusal(initializing, new RerouteCommand.AllocateReplica("i", 0, "r1")))
        .isEqualTo(
            "[allocate_replica] trying to allocate a replica shard [i][0], while corresponding"
                + " primary shard is still unassigned");
    ClusterState full =
        Clusters.apply(
            started, plan(started, new RerouteCommand.AllocateReplica("i", 0, "r1")).events());
    assertThat(refusal(full, new RerouteCommand.AllocateReplica("i", 0, "r1")))
        .isEqualTo(
            "[allocate_replica] all copies of [i][0] are already assigned. Use the move allocation"
                + " command instead");
    assertThat(refusal(started, new RerouteCommand.AllocateReplica("i", 0, "p1")))
        .startsWith("[allocate_replica] allocation of [i][0] is not allowed, reason: ");
  }

  @Test
  void ofAPrimary() {
    assertThat(refusal(unassigned, primary("nowhere", false, true)))
        .isEqualTo(
            "[allocate_empty_primary] allocation can only be done on data nodes, not [nowhere]");
    assertThat(refusal(unassigned, primary("r1", false, true)))
        .isEqualTo(
            "[allocate_empty_primary] allocation can only be done on data nodes, not [{r1}{r1}]");
    assertThat(refusal(started, primary("p2", false, true)))
        .isEqualTo("[allocate_empty_primary] primary [i][0] is already assigned");
    assertThat(refusal(unassigned, primary("p1", false, false)))
        .isEqualTo(
            "[allocate_empty_primary] allocating an empty primary for [i][0] can result in data"
                + " loss. Please confirm by setting the accept_data_loss parameter to true");
    assertThat(refusal(unassigned, primary("p1", true, true)))
        .isEqualTo(
            "[allocate_stale_primary] trying to allocate an existing primary shard [i][0], while no"
                + " such shard has ever been active");
  }

  @Test
  void ofAPrimaryBesideItsReplica() {
    ShardRouting shard = shard(started);
    ClusterState replicaAlone =
        started
            .apply(
                new ClusterEvent.ReplicaAssigned(
                    shard.shard(), shard.replicas().getFirst().copyId(), "replica", "p2"))
            .apply(
                new ClusterEvent.CopyUnassigned(
                    shard.shard(), shard.primary().copyId(), "NODE_LEFT"));

    assertThat(refusal(replicaAlone, primary("p2", false, true)))
        .isEqualTo("[allocate_empty_primary] a copy of [i][0] is already allocated to this node");
    assertThat(refusal(replicaAlone, primary("p2", true, true)))
        .isEqualTo("[allocate_stale_primary] a copy of [i][0] is already allocated to this node");
  }

  @Test
  void aPrimaryAllocatedByRerouteGetsTheNextTerm() {
    ShardRouting shard = shard(started);
    ClusterState lost =
        started.apply(
            new ClusterEvent.CopyUnassigned(shard.shard(), shard.primary().copyId(), "NODE_LEFT"));

    Reroute.Outcome outcome = plan(lost, primary("p2", true, true));

    assertThat(outcome.done()).isTrue();
    assertThat(outcome.events())
        .containsExactly(new ClusterEvent.PrimaryAssigned(shard.shard(), "new-1", "p2", 2));
  }
}
