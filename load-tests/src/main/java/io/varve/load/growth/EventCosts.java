package io.varve.load.growth;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterSnapshot;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.load.growth.GrowthRow.Unit;
import io.varve.load.growth.StateBench.Cost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Events of the cluster log: applying them, and reading the log from a snapshot. */
final class EventCosts {

  private final LargeCluster cluster;
  private final ClusterState state;
  private final CpuMeter meter;

  EventCosts(LargeCluster cluster, CpuMeter meter) {
    this.cluster = cluster;
    this.state = cluster.state();
    this.meter = meter;
  }

  List<Cost> all() {
    IndexMetadata created = cluster.newIndex("created");
    ClusterState with = state.apply(new ClusterEvent.IndexCreated(created));
    NodeInfo node = LargeCluster.node(1);
    NodeInfo restarted =
        new NodeInfo(node.nodeId(), node.name(), "another", node.roles(), node.url());
    return List.of(
        event("apply: the mapping of an index changes", () -> state.apply(mappingChanged())),
        event("apply: a copy has started", () -> state.apply(started())),
        event(
            "apply: an index is created",
            () -> state.apply(new ClusterEvent.IndexCreated(created))),
        event(
            "apply: an index is deleted",
            () -> with.apply(new ClusterEvent.IndexDeleted(created.uuid()))),
        event(
            "apply: an alias is added to an index",
            () ->
                state.apply(
                    new ClusterEvent.AliasesChanged(
                        Map.of(cluster.anyIndex().uuid(), Map.of("one", AliasMetadata.PLAIN)),
                        List.of()))),
        event(
            "apply: a node leaves",
            () -> state.apply(new ClusterEvent.NodeLeft(node.nodeId(), "silent"))),
        time(
            "apply: a node joins as a new process",
            Growth.LINEAR,
            () -> state.apply(new ClusterEvent.NodeJoined(restarted))),
        new Cost(
            "bytes of a snapshot",
            Unit.BYTES,
            Growth.LINEAR,
            () -> snapshot().stream().mapToDouble(RawRecord::sizeBytes).sum()),
        time("write a snapshot", Growth.LINEAR, this::snapshot),
        new Cost("start a coordinator from a snapshot", Unit.TIME, Growth.LINEAR, this::start),
        new Cost("read and apply one more event", Unit.TIME, Growth.CONSTANT, this::replay));
  }

  private Cost event(String name, Supplier<?> call) {
    return time(name, Growth.CONSTANT, call);
  }

  private Cost time(String name, Growth expected, Supplier<?> call) {
    return new Cost(name, Unit.TIME, expected, () -> meter.nanos(call));
  }

  private ClusterEvent mappingChanged() {
    IndexMetadata index = cluster.anyIndex();
    return new ClusterEvent.MappingChanged(index.uuid(), 2, index.mapping());
  }

  private ClusterEvent started() {
    ShardRouting shard = cluster.anyIndex().shard(0);
    return new ClusterEvent.CopyStarted(shard.shard(), shard.copies().getLast().copyId(), 1);
  }

  private List<RawRecord> snapshot() {
    List<RawRecord> records = new ArrayList<>();
    for (ClusterEvent part : ClusterSnapshot.of(state, List.of()).parts()) {
      records.add(record(records.size(), part));
    }
    return records;
  }

  private static RawRecord record(long seqNo, ClusterEvent event) {
    return RecordHeader.data(
        1, seqNo, event.entity().getBytes(StandardCharsets.UTF_8), Json.write(event));
  }

  private double start() {
    List<RawRecord> snapshot = snapshot();
    return meter.nanos(() -> folded(snapshot));
  }

  private static ClusterFold folded(List<RawRecord> records) {
    ClusterFold fold = new ClusterFold();
    long offset = 1_000;
    for (RawRecord record : records) {
      var _ = fold.add(new StoredRecord(offset++, 0, record));
    }
    return fold;
  }

  private double replay() {
    List<RawRecord> snapshot = snapshot();
    ClusterFold fold = folded(snapshot);
    long[] next = {snapshot.size()};
    return meter.nanos(() -> {
      long seqNo = next[0]++;
      return fold.add(new StoredRecord(1_000 + seqNo, 0, record(seqNo, mappingChanged())));
    });
  }
}
