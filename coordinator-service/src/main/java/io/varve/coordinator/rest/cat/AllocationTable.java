package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/allocation}: the number of copies on each data node, the disk space that they use,
 * and the disk space in use overall. Copies on nodes that are not members are counted in a last
 * row, {@code UNASSIGNED}, which appears only if there are any.
 */
final class AllocationTable {

  private final ClusterAccess cluster;
  private final CopyReader copies;
  private final NodeReader nodes;

  AllocationTable(ClusterAccess cluster, CopyReader copies, NodeReader nodes) {
    this.cluster = cluster;
    this.copies = copies;
    this.nodes = nodes;
  }

  /** The copies on a node or, if {@code row} is null, the copies without a node. */
  private record Allocation(@Nullable NodeRow row, long shards, long indexBytes) {

    @Nullable Object of(Function<NodeRow, @Nullable Object> value) {
      return row == null ? null : value.apply(row);
    }
  }

  Maker prepare(Question question) {
    String expression = question.request().param("node_id", "data:true");
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsRequest.everything());
      List<NodeInfo> chosen =
          NodeFilter.select(cluster, expression).stream()
              .filter(node -> !expression.equals("data:true") || NodeFilter.holdsCopies(node))
              .toList();
      List<Allocation> rows = new ArrayList<>();
      for (NodeReader.Answer answer : nodes.read(chosen, NodeRow.TIMEOUT)) {
        String id = answer.node().nodeId();
        StatSections sum = new StatSections(report.sum(copy -> copy.nodeId().equals(id)));
        rows.add(
            new Allocation(
                new NodeRow(answer.node(), answer.details(), sum, false),
                assigned(state, id),
                sum.number("store.size_in_bytes")));
      }
      long unassigned = assigned(state, null);
      if (unassigned > 0) {
        rows.add(new Allocation(null, unassigned, 0));
      }
      return allocationColumns().table(rows);
    };
  }

  private static long assigned(ClusterState state, @Nullable String nodeId) {
    long count = 0;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          String on = copy.nodeId();
          boolean lost = on == null || !state.nodes().containsKey(on);
          count += nodeId == null ? (lost ? 1 : 0) : nodeId.equals(on) ? 1 : 0;
        }
      }
    }
    return count;
  }

  private static Columns<Allocation> allocationColumns() {
    return new Columns<Allocation>()
        .number("shards", "s", "number of shards on node", Allocation::shards)
        .number(
            "disk.indices",
            "di,diskIndices",
            "disk used by indices",
            a -> a.of(row -> new Bytes(a.indexBytes())))
        .number(
            "disk.used",
            "du,diskUsed",
            "disk used (total, not just indices)",
            a -> a.of(row -> row.diskUsed() < 0 ? null : new Bytes(row.diskUsed())))
        .number(
            "disk.avail",
            "da,diskAvail",
            "disk available",
            a -> a.of(NodeRow.diskBytes("available_in_bytes")))
        .number(
            "disk.total",
            "dt,diskTotal",
            "total capacity of all volumes",
            a -> a.of(NodeRow.diskBytes("total_in_bytes")))
        .number(
            "disk.percent",
            "dp,diskPercent",
            "percent disk used",
            a ->
                a.of(row ->
                    row.diskUsed() < 0 ? null : 100 * row.diskUsed() / row.disk("total_in_bytes")))
        .text("host", "h", "host of node", a -> a.of(row -> NodeFilter.host(row.node())))
        .text("ip", "", "ip of node", a -> a.of(row -> NodeFilter.host(row.node())))
        .text(
            "node",
            "n",
            "name of node",
            a -> a.row() == null ? "UNASSIGNED" : a.row().node().name());
  }
}
