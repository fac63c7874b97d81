package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterEvent.CopyUnassigned;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ReplicationLag;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At which lag a copy gets no searches, and at which it is failed. */
class ReplicationLagTest {

  private static final ShardId SHARD = new ShardId("u", 0);

  private final Map<String, CopyProgress> said = new TreeMap<>();
  private final StaleCopies stale =
      new StaleCopies(id -> Optional.ofNullable(said.get(id)), 30_000);

  private static CopyProgress progress(
      String copyId, long visible, long checkpointsBehind, long millisBehind) {
    return new CopyProgress(
        copyId,
        SHARD,
        "n",
        false,
        "STARTED",
        1,
        1,
        1,
        visible,
        visible,
        0,
        checkpointsBehind,
        millisBehind,
        0,
        0,
        0,
        0);
  }

  @ParameterizedTest
  @CsvSource({
    // drained before, shows, behind for, drained now
    "false, 9, 30001, true",
    "false, 9, 30000, false",
    "true,  9, 30000, true",
    "true,  9, 15001, true",
    "true,  9, 15000, false",
    "false, 10, 99999, false",
    "true,  10, 99999, false",
  })
  void aCopyIsDrainedBeyondTheLimitAndComesBackAtHalfOfIt(
      boolean before, long shows, long millisBehind, boolean drained) {
    var limits = new ReplicationLag.Limits(30_000, 30, 300_000, 0);
    assertThat(ReplicationLag.isDrained(before, progress("c", shows, 1, millisBehind), 10, limits))
        .isEqualTo(drained);
  }

  @Test
  void aLimitOfZeroDrainsNothing() {
    var limits = new ReplicationLag.Limits(0, 30, 300_000, 0);
    assertThat(ReplicationLag.isDrained(true, progress("c", 0, 99, 9_999_999), 10, limits))
        .isFalse();
  }

  private static CopyRouting started(String id, boolean primary, String node, boolean forSearch) {
    return new CopyRouting(id, primary, State.STARTED, node, "", forSearch);
  }

  private static ClusterState state(String failLimit, List<CopyRouting> copies) {
    IndexMetadata index =
        new IndexMetadata(
            "a", "u", 0, Map.of(), 1, "{}", 1, null, List.of(new ShardRouting(SHARD, 1, copies)));
    return Clusters.with(
            Clusters.node("p", "primary"),
            Clusters.node("r", "replica"),
            Clusters.node("s", "search"))
        .apply(new ClusterEvent.IndexCreated(index))
        .apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of(
                    ClusterSettings.FAIL_TIME, failLimit,
                    ClusterSettings.PRESSURE_TIME, "1m",
                    ClusterSettings.PRESSURE_CHECKPOINTS, "4"),
                Map.of()));
  }

  private static final List<CopyRouting> COPIES =
      List.of(
          started("primary", true, "p", false),
          started("replica", false, "r", false),
          started("search", false, "s", true));

  private void say(long visible, long checkpointsBehind, long millisBehind) {
    said.put("primary", progress("primary", 10, 0, 0));
    said.put("replica", progress("replica", visible, checkpointsBehind, millisBehind));
  }

  @ParameterizedTest
  @CsvSource({
    // limit, shows, checkpoints behind, behind for, given up
    "2m, 9,  5, 120001, true",
    "2m, 9,  5, 120000, false",
    "2m, 9,  4, 999999, false",
    "2m, 10, 5, 999999, false",
    "0,  9,  5, 999999, false",
    // A copy is never failed before the pressure limits make it stale.
    "1s, 9,  5, 60000,  false",
    "1s, 9,  5, 60001,  true",
  })
  void aReplicaThatIsStaleForTooLongIsFailed(
      String limit, long shows, long checkpoints, long millisBehind, boolean given) {
    say(shows, checkpoints, millisBehind);
    List<ClusterEvent> events = stale.due(state(limit, COPIES), 0);
    assertThat(events)
        .isEqualTo(
            given
                ? List.of(
                    new CopyUnassigned(
                        SHARD,
                        "replica",
                        "ALLOCATION_FAILED: replica too far behind primary, marking as stale"))
                : List.of());
    assertThat(stale.count()).isEqualTo(given ? 1 : 0);
  }

  @Test
  void theMostStaleCopyIsFailedFirstAndTheNextOneLater() {
    ClusterState state =
        state(
            "2m",
            List.of(
                started("primary", true, "p", false),
                started("replica", false, "r", false),
                started("worse", false, "s", false)));
    say(9, 5, 130_000);
    said.put("worse", progress("worse", 9, 5, 140_000));

    assertThat(stale.due(state, 0))
        .extracting(e -> ((CopyUnassigned) e).copyId())
        .containsExactly("worse");
    assertThat(stale.due(state, 29_999)).isEmpty();
    said.remove("worse");
    assertThat(stale.due(state, 30_000))
        .extracting(e -> ((CopyUnassigned) e).copyId())
        .containsExactly("replica");
  }

  @Test
  void theLastCopyForSearchesIsKept() {
    say(10, 0, 0);
    said.put("search", progress("search", 9, 5, 999_999));
    assertThat(stale.due(state("2m", COPIES), 0)).isEmpty();

    List<CopyRouting> two =
        List.of(COPIES.getFirst(), COPIES.getLast(), started("other", false, "r", true));
    assertThat(stale.due(state("2m", two), 30_000))
        .extracting(e -> ((CopyUnassigned) e).copyId())
        .containsExactly("search");
  }

  @Test
  void aFailedCopyIsRebuiltUnderAnotherId() {
    say(9, 5, 999_999);
    ClusterState state = state("2m", List.of(COPIES.get(0), COPIES.get(1)));
    ClusterState after = Clusters.apply(state, stale.due(state, 0));
    after =
        Clusters.apply(
            after,
            new Reconciler(() -> "new-id")
                .reconcile(after, new Reconciler.Situation(Map.of(), Set.of(), 0)));

    assertThat(after.shard(SHARD).orElseThrow().replicas())
        .singleElement()
        .satisfies(copy -> {
          assertThat(copy.copyId()).isEqualTo("new-id");
          assertThat(copy.state()).isEqualTo(State.INITIALIZING);
        });
  }
}
