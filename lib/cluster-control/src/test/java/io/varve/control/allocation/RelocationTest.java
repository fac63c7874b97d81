package io.varve.control.allocation;

import static io.varve.cluster.NodeInfo.PRIMARY;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.Relocation;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reconciler.Situation;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three nodes; an index of one shard with the primary on a and a replica on b. Copies relocate to
 * c.
 */
class RelocationTest {

  private static final Situation CALM = new Situation(Map.of(), Set.of(), 0);
  private static final ShardId SHARD = new ShardId("i-uuid", 0);

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());
  private final Reroute reroute = new Reroute(() -> "target-" + ids.incrementAndGet());
  private ClusterState state =
      Clusters.with(
              Clusters.node("a", PRIMARY), Clusters.node("b", PRIMARY), Clusters.node("c", PRIMARY))
          .apply(new ClusterEvent.IndexCreated(Clusters.index("i", 1, 1)));

  RelocationTest() {
    settle();
    shard().copies().forEach(copy -> started(copy.copyId(), shard().primaryTerm()));
  }

  private void settle() {
    state = Clusters.apply(state, reconciler.reconcile(state, CALM));
    assertThat(reconciler.reconcile(state, CALM)).as("events after the events").isEmpty();
  }

  private ShardRouting shard() {
    return state.shard(SHARD).orElseThrow();
  }

  private void apply(ClusterEvent event) {
    state = state.apply(event);
    settle();
  }

  private void started(String copyId, long term) {
    apply(new ClusterEvent.CopyStarted(SHARD, copyId, term));
  }

  private Relocation move(String from, String to) {
    Reroute.Outcome outcome =
        reroute.plan(state, List.of(new RerouteCommand.Move("i", 0, from, to))).getFirst();
    assertThat(outcome.verdicts()).allMatch(AllocationDeciders.Verdict::yes);
    state = Clusters.apply(state, outcome.events());
    return shard().relocations().getFirst();
  }

  @Test
  void aCopyServesWhileItsTargetRecovers() {
    ShardRouting before = shard();

    move("b", "c");

    assertThat(shard().copies()).isEqualTo(before.copies());
    assertThat(shard().everywhere()).hasSize(3);
  }

  @Test
  void aReplicaIsReplacedByItsTargetWhenTheTargetHasStarted() {
    Relocation moving = move("b", "c");

    started(moving.target().copyId(), 0);

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().replicas())
        .singleElement()
        .returns(moving.target().copyId(), CopyRouting::copyId)
        .returns("c", CopyRouting::nodeId)
        .returns(State.STARTED, CopyRouting::state);
    assertThat(shard().primaryTerm()).isEqualTo(1);
  }

  @Test
  void aPrimaryIsKnownAtEachMomentAndChangesOnlyWhenItsTargetHasStartedInTheNextTerm() {
    String target = move("a", "c").target().copyId();
    assertThat(shard().primary()).returns("a", CopyRouting::nodeId);

    started(target, 0);
    assertThat(shard().handOver().orElseThrow().handOverTerm()).isEqualTo(2);
    assertThat(shard().primary())
        .returns("a", CopyRouting::nodeId)
        .returns(State.STARTED, CopyRouting::state);
    assertThat(shard().primaryTerm()).isEqualTo(1);

    started(target, 0);
    assertThat(shard().primary().nodeId()).as("a late word of the replica").isEqualTo("a");

    started(target, 2);
    assertThat(shard().primary())
        .returns("c", CopyRouting::nodeId)
        .returns(State.STARTED, CopyRouting::state);
    assertThat(shard().primaryTerm()).isEqualTo(2);
    assertThat(shard().everywhere()).hasSize(2).noneMatch(copy -> copy.isOn("a"));
  }

  @Test
  void aReplicaThatArrivesWhileThePrimaryHandsOverLeavesThePrimaryItsTerm() {
    String replica = shard().replicas().getFirst().copyId();
    ShardRouting handingOver =
        shard()
            .relocating(shard().primary().copyId(), "primary-target", "c")
            .relocating(replica, "replica-target", "d")
            .handingOver("primary-target", 2);

    ShardRouting arrived = handingOver.relocated("replica-target");

    assertThat(arrived.primaryTerm()).isEqualTo(1);
    assertThat(arrived.newestTerm()).isEqualTo(2);
    assertThat(arrived.relocated("primary-target").primaryTerm()).isEqualTo(2);
  }

  @Test
  void aTargetThatFailsBeforeTheHandOverDoesNotChangeThePrimary() {
    Relocation moving = move("a", "c");
    ShardRouting before = shard();

    apply(Reroute.cancelled(before, moving, "it failed"));

    assertThat(shard().copies()).isEqualTo(before.copies());
    assertThat(shard().primaryTerm()).isEqualTo(1);
  }

  @Test
  void aTargetThatFailsDuringTheHandOverGivesThePrimaryANewTerm() {
    started(move("a", "c").target().copyId(), 0);

    apply(Reroute.cancelled(shard(), shard().relocations().getFirst(), "it failed"));

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().primaryTerm()).as("2 may be in the log").isEqualTo(3);
    assertThat(shard().primary())
        .returns("a", CopyRouting::nodeId)
        .returns(State.INITIALIZING, CopyRouting::state);
  }

  @Test
  void theNodeOfATargetMayLeaveDuringTheHandOver() {
    started(move("a", "c").target().copyId(), 0);

    apply(new ClusterEvent.NodeLeft("c", "killed"));

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().primary().nodeId()).isEqualTo("a");
    assertThat(shard().primaryTerm()).isEqualTo(3);
  }

  @Test
  void theHandOverContinuesWhenThePrimarysNodeLeaves() {
    String target = move("a", "c").target().copyId();
    started(target, 0);

    apply(new ClusterEvent.NodeLeft("a", "killed"));
    assertThat(shard().primary().nodeId()).as("not yet known to be followed").isEqualTo("a");

    started(target, 2);
    assertThat(shard().primary().nodeId()).isEqualTo("c");
    assertThat(shard().primaryTerm()).isEqualTo(2);
  }

  @Test
  void aReplicaIsPromotedWhenThePrimarysNodeLeavesBeforeItsTargetHasStarted() {
    move("a", "c");

    apply(new ClusterEvent.NodeLeft("a", "killed"));

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().primary().nodeId()).isEqualTo("b");
    assertThat(shard().primaryTerm()).isEqualTo(2);
  }

  @Test
  void theTargetReplacesALostReplicaAtOnce() {
    Relocation moving = move("b", "c");

    apply(new ClusterEvent.NodeLeft("b", "killed"));

    assertThat(shard().replicas())
        .singleElement()
        .returns(moving.target().copyId(), CopyRouting::copyId)
        .returns(State.INITIALIZING, CopyRouting::state);
  }

  @Test
  void aReplicaPromotedDuringItsRelocationEndsAsThePrimary() {
    String target = move("b", "c").target().copyId();
    apply(new ClusterEvent.ReplicaPromoted(SHARD, shard().replicas().getFirst().copyId(), 2, ""));
    started(shard().primary().copyId(), 2);

    started(target, 0);
    assertThat(shard().handOver().orElseThrow().handOverTerm()).isEqualTo(3);
    started(target, 3);

    assertThat(shard().primary().nodeId()).isEqualTo("c");
  }

  @Test
  void theRestartOfAPrimarysNodeEndsAHandOverWithANewTerm() {
    started(move("a", "c").target().copyId(), 0);

    apply(new ClusterEvent.PrimaryAssigned(SHARD, shard().primary().copyId(), "a", 3));

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().primaryTerm()).isEqualTo(3);
  }

  @Test
  void closingAnIndexEndsItsRelocationsAndAssignsNoTermTwice() {
    started(move("a", "c").target().copyId(), 0);

    apply(new ClusterEvent.IndexClosed("i-uuid"));
    apply(new ClusterEvent.IndexOpened("i-uuid"));

    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().primaryTerm()).isEqualTo(3);
  }

  @Test
  void aRelocatingCopyIsNotMovedAgainAndMayBeCancelled() {
    move("b", "c");

    Reroute.Outcome again =
        reroute.plan(state, List.of(new RerouteCommand.Move("i", 0, "b", "c"))).getFirst();
    assertThat(again.done()).isFalse();

    Reroute.Outcome cancel =
        reroute.plan(state, List.of(new RerouteCommand.Cancel("i", 0, "c", false))).getFirst();
    state = Clusters.apply(state, cancel.events());
    assertThat(shard().relocations()).isEmpty();
    assertThat(shard().replicas().getFirst().nodeId()).isEqualTo("b");
  }

  /** For random events in any order, a term is assigned once, and there is one primary. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noTermIsGivenTwice(long seed) {
    Random random = new Random(seed);
    long newest = shard().newestTerm();
    for (int step = 0; step < 400; step++) {
      ShardRouting before = shard();
      String node = List.of("a", "b", "c").get(random.nextInt(3));
      event(random, before, node).ifPresent(this::apply);
      ShardRouting after = shard();
      assertThat(after.newestTerm())
          .as("seed %d step %d", seed, step)
          .isGreaterThanOrEqualTo(newest);
      if (after.primaryTerm() != before.primaryTerm() && before.handOver().isEmpty()) {
        assertThat(after.primaryTerm()).as("seed %d step %d", seed, step).isGreaterThan(newest);
      }
      assertThat(after.everywhere().stream().map(CopyRouting::nodeId).filter(n -> n != null))
          .as("seed %d step %d", seed, step)
          .doesNotHaveDuplicates();
      newest = after.newestTerm();
    }
  }

  private Optional<ClusterEvent> event(Random random, ShardRouting shard, String node) {
    List<CopyRouting> all = shard.everywhere();
    CopyRouting copy = all.get(random.nextInt(all.size()));
    return switch (random.nextInt(6)) {
      case 0, 1 -> {
        long term =
            copy.primary()
                ? shard.primaryTerm()
                : shard.relocationTo(copy.copyId()).map(Relocation::handOverTerm).orElse(0L);
        yield Optional.of(new ClusterEvent.CopyStarted(SHARD, copy.copyId(), term));
      }
      case 2 ->
          shard
              .copy(copy.copyId())
              .filter(c -> state.active(c) && all.stream().noneMatch(o -> o.isOn(node)))
              .filter(c -> state.nodes().containsKey(node))
              .map(c ->
                  new ClusterEvent.RelocationStarted(
                      SHARD, c.copyId(), "target-" + ids.incrementAndGet(), node));
      case 3 ->
          shard
              .relocationTo(copy.copyId())
              .map(moving -> Reroute.cancelled(shard, moving, "chance"));
      case 4 ->
          state.nodes().containsKey(node) && state.nodes().size() > 1
              ? Optional.of(new ClusterEvent.NodeLeft(node, "chance"))
              : Optional.empty();
      default -> Optional.of(new ClusterEvent.NodeJoined(Clusters.node(node, PRIMARY)));
    };
  }
}
