package io.varve.load.growth;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.DiskUsage;
import io.varve.control.Membership;
import io.varve.control.allocation.Absences;
import io.varve.control.allocation.FloodStage;
import io.varve.control.allocation.Reconciler;
import io.varve.load.growth.GrowthRow.Unit;
import io.varve.load.growth.StateBench.Cost;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Decisions of the leading coordinator, each for the whole cluster. */
final class LeaderCosts {

  private static final long NOW_MILLIS = 10_000_000;
  private static final long TIMEOUT_MILLIS = 6_000;

  private final ClusterState state;
  private final LargeCluster cluster;
  private final CpuMeter meter;
  private final Map<String, DiskUsage> disks;
  private final AtomicLong copies = new AtomicLong();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + copies.incrementAndGet());

  LeaderCosts(LargeCluster cluster, CpuMeter meter) {
    this.cluster = cluster;
    this.state = cluster.state();
    this.meter = meter;
    this.disks = cluster.disks();
  }

  List<Cost> all() {
    String gone = LargeCluster.nodeId(1);
    ClusterState without = state.apply(new ClusterEvent.NodeLeft(gone, "silent"));
    ClusterState with = state.apply(new ClusterEvent.IndexCreated(cluster.newIndex("created")));
    return List.of(
        time("reconcile: nothing to do", () -> reconcile(state, Map.of())),
        time("reconcile: an index was created", () -> reconcile(with, Map.of())),
        time("reconcile: a node has just left", () -> reconcile(without, Map.of(gone, NOW_MILLIS))),
        time("reconcile: its copies are replaced", () -> reconcile(without, Map.of(gone, 0L))),
        time("flood stage of disks", () -> new FloodStage().changes(state, disks)),
        time("absent nodes", () -> new Absences().update(state, NOW_MILLIS)),
        time("members by their heartbeats", this::members));
  }

  private Cost time(String name, Supplier<?> call) {
    return new Cost("leader, " + name, Unit.TIME, Growth.LINEAR, () -> meter.nanos(call));
  }

  private List<ClusterEvent> reconcile(ClusterState now, Map<String, Long> absentSinceMillis) {
    return reconciler.reconcile(
        now, new Reconciler.Situation(absentSinceMillis, Set.of(), disks, NOW_MILLIS));
  }

  private List<ClusterEvent> members() {
    Map<String, Membership.Sign> signs = new HashMap<>();
    for (int number = 0; number < cluster.size().nodes(); number++) {
      signs.put(
          LargeCluster.nodeId(number),
          new Membership.Sign(LargeCluster.heartbeat(number), NOW_MILLIS));
    }
    return new Membership(TIMEOUT_MILLIS, TIMEOUT_MILLIS).changes(state, signs, _ -> 0, NOW_MILLIS);
  }
}
