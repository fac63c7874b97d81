package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order in which the copies of a follower are reopened after a static setting has changed. */
class FollowerReopeningTest {

  private static final String UUID = "copy-uuid";

  private final AtomicInteger ids = new AtomicInteger();
  private ClusterState state = ClusterState.EMPTY;

  private static CopyRouting copy(String id, boolean primary, String nodeId) {
    return new CopyRouting(id, primary, CopyRouting.State.STARTED, nodeId, "");
  }

  private static ShardRouting shard(int number) {
    return new ShardRouting(
        new ShardId(UUID, number),
        3,
        List.of(
            copy("p" + number, true, "n1"),
            copy("r" + number, false, "n2"),
            CopyRouting.unassigned("u" + number, false, "NODE_LEFT")));
  }

  private void follow(int shards, String... copiesToReopen) {
    FollowRelation follow =
        new FollowRelation("eu", "books", "books-uuid", "n1", 3)
            .withStatus(FollowStatus.NEW.withCopiesToReopen(List.of(copiesToReopen)));
    state =
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "copy",
                    UUID,
                    0,
                    Map.of(),
                    1,
                    "{}",
                    1,
                    follow,
                    IntStream.range(0, shards).mapToObj(FollowerReopeningTest::shard).toList())));
    for (String id : List.of("n1", "n2")) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(id, id, "i", Set.of(NodeInfo.PRIMARY), "http://" + id, Map.of())));
    }
    for (ShardRouting shard : index().shards()) {
      start(shard.shard().number());
    }
  }

  private IndexMetadata index() {
    return state.indices().get("copy");
  }

  private List<String> left() {
    return index().follow().currentStatus().copiesToReopen();
  }

  /** Takes the step that is due; fails if there is none. */
  private List<ClusterEvent> step() {
    List<ClusterCommand.ReopenCopy> due = FollowerReopening.due(state);
    assertThat(due).containsExactly(new ClusterCommand.ReopenCopy(UUID));
    Decision decision =
        FollowerReopening.next(state, due.getFirst(), () -> "new" + ids.incrementAndGet());
    ClusterEvent event = ((Decision.Events) decision).events().getFirst();
    state = state.apply(event);
    return event instanceof ClusterEvent.Together(var events) ? events : List.of(event);
  }

  private void start(int number) {
    ShardRouting shard = index().shard(number);
    for (CopyRouting copy : shard.copies()) {
      state =
          state.apply(
              new ClusterEvent.CopyStarted(shard.shard(), copy.copyId(), shard.primaryTerm()));
    }
  }

  @Test
  void anIndexWithNothingToReopenHasNoStep() {
    follow(1);

    assertThat(FollowerReopening.due(state)).isEmpty();
  }

  @Test
  void replicasComeFirstAndThePrimaryLastWithTheNextTerm() {
    follow(1, "p0", "r0");

    assertThat(step().getFirst())
        .isEqualTo(new ClusterEvent.ReplicaAssigned(new ShardId(UUID, 0), "r0", "new1", "n2"));
    assertThat(left()).containsExactly("p0");
    assertThat(FollowerReopening.due(state)).as("while the replica opens").isEmpty();
    start(0);
    assertThat(step().getFirst())
        .isEqualTo(new ClusterEvent.PrimaryAssigned(new ShardId(UUID, 0), "p0", "n1", 4));
    assertThat(left()).isEmpty();
    assertThat(FollowerReopening.due(state)).isEmpty();
  }

  @Test
  void everyShardKeepsAnActiveCopyAndOneCopyOfTheIndexIsReopenedAtATime() {
    follow(3, "p0", "r0", "p1", "r1", "p2", "r2");
    List<ClusterEvent> steps = new ArrayList<>();
    while (!left().isEmpty()) {
      steps.add(step().getFirst());
      assertThat(FollowerReopening.due(state)).as("one at a time").isEmpty();
      List<CopyRouting> closed = new ArrayList<>();
      for (ShardRouting shard : index().shards()) {
        assertThat(shard.copies()).as("copies that answer").anyMatch(state::active);
        shard.copies().stream()
            .filter(copy -> copy.nodeId() != null && !copy.started())
            .forEach(closed::add);
      }
      assertThat(closed).hasSize(1);
      IntStream.range(0, 3).forEach(this::start);
    }

    assertThat(steps).hasSize(6);
  }

  @Test
  void aShardWithACopyThatIsNotActiveWaitsAndTheOthersGoOn() {
    follow(2, "p0", "r0", "p1", "r1");
    state = state.apply(new ClusterEvent.NodeLeft("n2", "silent"));
    assertThat(FollowerReopening.due(state)).isEmpty();

    state = state.apply(new ClusterEvent.CopyUnassigned(new ShardId(UUID, 1), "r1", "NODE_LEFT"));

    assertThat(step().getFirst())
        .isEqualTo(new ClusterEvent.PrimaryAssigned(new ShardId(UUID, 1), "p1", "n1", 4));
    assertThat(left()).containsExactly("p0", "r0");
  }

  @Test
  void aShardThatRelocatesWaits() {
    follow(1, "p0", "r0");
    ShardId shard = new ShardId(UUID, 0);
    state = state.apply(new ClusterEvent.RelocationStarted(shard, "r0", "target", "n1"));
    assertThat(FollowerReopening.due(state)).isEmpty();

    state = state.apply(new ClusterEvent.RelocationCancelled(shard, "target", 0, "test"));

    assertThat(step()).hasSize(2);
  }

  @Test
  void copiesThatAreGoneOrUnassignedAndThoseOfAClosedIndexAreDone() {
    follow(1, "gone", "u0");
    assertThat(step())
        .containsExactly(new ClusterEvent.FollowStatusChanged(UUID, FollowStatus.NEW));

    state =
        state
            .apply(
                new ClusterEvent.FollowStatusChanged(
                    UUID, FollowStatus.NEW.withCopiesToReopen(List.of("p0", "r0"))))
            .apply(new ClusterEvent.IndexClosed(UUID));

    assertThat(step())
        .containsExactly(new ClusterEvent.FollowStatusChanged(UUID, FollowStatus.NEW));
  }

  @Test
  void aLateCommandChangesNothing() {
    follow(1);

    assertThat(FollowerReopening.next(state, new ClusterCommand.ReopenCopy(UUID), () -> "new"))
        .isEqualTo(Decision.nothing());
    assertThat(FollowerReopening.next(state, new ClusterCommand.ReopenCopy("deleted"), () -> "new"))
        .isEqualTo(Decision.nothing());
  }

  @Test
  void aPromotedIndexReopensAllReplicasThatAreLeft() {
    follow(2, "p0", "r1", "p1", "gone");

    Decision decision =
        FollowDecisions.promote(
            state, new ClusterCommand.Promote("copy"), () -> "new" + ids.incrementAndGet());
    ((Decision.Events) decision).events().forEach(event -> state = state.apply(event));

    assertThat(index().follow()).isNull();
    assertThat(index().shards())
        .allSatisfy(shard -> assertThat(shard.newestTerm()).isGreaterThan(3));
    assertThat(index().shards().get(0).copies()).extracting(CopyRouting::copyId).contains("r0");
    assertThat(index().shards().get(1).copies())
        .extracting(CopyRouting::copyId)
        .contains("new1")
        .doesNotContain("r1");
  }
}
