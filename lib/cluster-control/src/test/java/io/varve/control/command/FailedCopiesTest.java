package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FailedCopiesTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private static final Map<String, String> AUTO = Map.of("index.log.retention", "auto");
  private static final ClusterEvent PRIMARY_UNASSIGNED =
      new ClusterEvent.CopyUnassigned(SHARD, "p", "ALLOCATION_FAILED: why");
  private static final ClusterEvent REPLICA_UNASSIGNED =
      new ClusterEvent.CopyUnassigned(SHARD, "r", "ALLOCATION_FAILED: why");

  private static List<ClusterEvent> failed(
      String copyId, State primary, State replica, Map<String, String> settings) {
    return failed(
        copyId,
        new ShardRouting(
            SHARD,
            6,
            List.of(
                new CopyRouting("p", true, primary, "n1", ""),
                new CopyRouting("r", false, replica, "n2", ""),
                new CopyRouting("s", false, State.STARTED, "n3", "", true))),
        settings);
  }

  private static List<ClusterEvent> failed(
      String copyId, ShardRouting shard, Map<String, String> settings) {
    ClusterState state = ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "uuid"));
    for (String id : List.of("n1", "n2", "n3")) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(id, id, "run", Set.of(NodeInfo.PRIMARY), "http://" + id)));
    }
    ClusterState created =
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "books", "books-uuid", 0, settings, 1, "{}", 1, null, List.of(shard))));
    return FailedCopies.events(
        created, shard, shard.copy(copyId).orElseThrow(), "why", () -> "new");
  }

  @Test
  void aStartedReplicaIsReopenedOnItsNodeAlthoughThePrimarySeemsToServe() {
    ClusterEvent reopened = new ClusterEvent.ReplicaAssigned(SHARD, "r", "new", "n2");

    assertThat(failed("r", State.STARTED, State.STARTED, AUTO))
        .containsExactly(REPLICA_UNASSIGNED, reopened);
    assertThat(failed("r", State.INITIALIZING, State.STARTED, AUTO))
        .containsExactly(REPLICA_UNASSIGNED, reopened);
  }

  @Test
  void aReopenedReplicaThatFailsAgainIsMovedOnlyWhileAnotherCopyServes() {
    assertThat(failed("r", State.STARTED, State.INITIALIZING, AUTO))
        .containsExactly(REPLICA_UNASSIGNED);
    assertThat(failed("r", State.INITIALIZING, State.INITIALIZING, AUTO))
        .containsExactly(
            REPLICA_UNASSIGNED, new ClusterEvent.ReplicaAssigned(SHARD, "r", "new", "n2"));
  }

  @Test
  void aPrimaryGivesWayToAServingReplicaAndToNothingElse() {
    assertThat(failed("p", State.STARTED, State.STARTED, AUTO)).containsExactly(PRIMARY_UNASSIGNED);
    assertThat(failed("p", State.INITIALIZING, State.STARTED, AUTO))
        .containsExactly(PRIMARY_UNASSIGNED);
    assertThat(failed("p", State.INITIALIZING, State.INITIALIZING, AUTO))
        .containsExactly(
            PRIMARY_UNASSIGNED, new ClusterEvent.PrimaryAssigned(SHARD, "new", "n1", 7));
    assertThat(failed("p", State.STARTED, State.INITIALIZING, AUTO))
        .containsExactly(
            PRIMARY_UNASSIGNED, new ClusterEvent.PrimaryAssigned(SHARD, "new", "n1", 7));
  }

  @Test
  void aCopyThatKeepsItsPlaceIsReopenedOnceForEachReason() {
    String recorded = "ALLOCATION_FAILED: why";
    ShardRouting failing =
        new ShardRouting(
            SHARD,
            6,
            List.of(
                new CopyRouting("p", true, State.INITIALIZING, "n1", recorded),
                new CopyRouting("r", false, State.INITIALIZING, "n2", recorded)));

    assertThat(failed("p", failing, AUTO)).isEmpty();
    assertThat(failed("r", failing, AUTO)).isEmpty();
  }

  @Test
  void aFailureFromBeforeTheLastStartIsNoReasonToKeepSilent() {
    CopyRouting failed =
        new CopyRouting("p", true, State.INITIALIZING, "n1", "ALLOCATION_FAILED: why");
    CopyRouting restarted = failed.in(State.STARTED).in(State.INITIALIZING);
    CopyRouting replica = new CopyRouting("r", false, State.INITIALIZING, "n2", "");

    assertThat(failed("p", new ShardRouting(SHARD, 6, List.of(restarted, replica)), AUTO))
        .containsExactly(
            PRIMARY_UNASSIGNED, new ClusterEvent.PrimaryAssigned(SHARD, "new", "n1", 7));
  }

  @Test
  void aCopyIsUnassignedIfLogAndStoreSufficeToRebuildIt() {
    assertThat(failed("r", State.INITIALIZING, State.STARTED, Map.of()))
        .containsExactly(REPLICA_UNASSIGNED);
    assertThat(
            failed(
                "p",
                State.INITIALIZING,
                State.INITIALIZING,
                Map.of("index.log.retention", "auto", "index.remote_store.enabled", "true")))
        .containsExactly(PRIMARY_UNASSIGNED);
    ShardRouting neverStarted =
        new ShardRouting(
            SHARD,
            1,
            List.of(
                new CopyRouting("p", true, State.INITIALIZING, "n1", ""),
                new CopyRouting("r", false, State.INITIALIZING, "n2", "")),
            List.of(),
            null,
            true);
    assertThat(failed("p", neverStarted, AUTO)).containsExactly(PRIMARY_UNASSIGNED);
  }

  @Test
  void aSearchOnlyCopyIsUnassigned() {
    assertThat(failed("s", State.INITIALIZING, State.INITIALIZING, AUTO))
        .containsExactly(new ClusterEvent.CopyUnassigned(SHARD, "s", "ALLOCATION_FAILED: why"));
  }
}
