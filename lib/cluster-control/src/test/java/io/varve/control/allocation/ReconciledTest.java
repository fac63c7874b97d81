package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.NodeInfo;
import io.varve.control.allocation.Reconciler.Place;
import io.varve.control.allocation.Reconciler.Situation;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A reconciliation is left out only if it would read the same as one without a result. */
class ReconciledTest {

  private static final long DISK_BYTES = 1_000_000;

  private final ClusterState state = Clusters.with(Clusters.node("a", NodeInfo.PRIMARY));
  private final Reconciled reconciled = new Reconciled();

  private static Situation situation(Set<Place> refused, int usedPercent, long nowMillis) {
    long freeBytes = DISK_BYTES * (100 - usedPercent) / 100;
    return new Situation(
        Map.of(), refused, Map.of("a", new DiskUsage(DISK_BYTES, freeBytes)), nowMillis);
  }

  private static Situation half(long nowMillis) {
    return situation(Set.of(), 50, nowMillis);
  }

  @Test
  void nothingIsDoneBeforeTheFirst() {
    assertThat(reconciled.isDone(state, half(0))).isFalse();
  }

  @Test
  void itIsDoneWhileOnlyTimePassesAndDisksStayBetweenTheirWatermarks() {
    reconciled.done(state, half(0), List.of());

    assertThat(reconciled.isDone(state, half(60_000))).isTrue();
    assertThat(reconciled.isDone(state, situation(Set.of(), 60, 60_000))).isTrue();
  }

  @Test
  void anyChangeOfWhatTheReconcilerReadsIsAReason() {
    reconciled.done(state, half(0), List.of());

    assertThat(reconciled.isDone(state.apply(new ClusterEvent.NodeLeft("b", "")), half(0)))
        .isFalse();
    assertThat(reconciled.isDone(state, situation(Set.of(), 86, 0))).isFalse();
    Place place = new Place(new ShardId("u", 0), "a");
    assertThat(reconciled.isDone(state, situation(Set.of(place), 50, 0))).isFalse();
    assertThat(reconciled.isDone(state, new Situation(Map.of("b", 0L), Set.of(), 0))).isFalse();
  }

  @Test
  void aResultMayLeadToAnother() {
    reconciled.done(state, half(0), List.of(new ClusterEvent.NodeLeft("b", "")));

    assertThat(reconciled.isDone(state, half(0))).isFalse();
  }

  @Test
  void anAbsentNodeIsWaitedFor() {
    Situation waiting = new Situation(Map.of("b", 0L), Set.of(), 0);
    reconciled.done(state, waiting, List.of());

    assertThat(reconciled.isDone(state, waiting)).isFalse();
  }
}
