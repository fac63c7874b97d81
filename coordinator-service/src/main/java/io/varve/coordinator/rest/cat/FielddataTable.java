package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code _cat/fielddata}: the heap that loaded field values use, in one row for each field of each
 * node, summed over the node's copies.
 */
final class FielddataTable {

  private final ClusterAccess cluster;
  private final CopyReader copies;

  FielddataTable(ClusterAccess cluster, CopyReader copies) {
    this.cluster = cluster;
    this.copies = copies;
  }

  private record FieldRow(NodeInfo node, String field, long bytes) {}

  Maker prepare(Question question) {
    List<String> wanted = question.request().list("fields");
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsRequest.everything());
      List<FieldRow> rows = new ArrayList<>();
      for (NodeInfo node : NodeFilter.select(cluster, null)) {
        Map<String, Long> byField = new TreeMap<>();
        report.copies().stream()
            .filter(copy -> copy.nodeId().equals(node.nodeId()))
            .forEach(copy ->
                copy.stats()
                    .activity()
                    .search()
                    .caches()
                    .fielddataBytes()
                    .forEach((field, bytes) -> byField.merge(field, bytes, (a, b) -> a + b)));
        byField.forEach((field, bytes) -> {
          if (wanted.isEmpty() || wanted.stream().anyMatch(w -> Wildcard.matches(w, field))) {
            rows.add(new FieldRow(node, field, bytes));
          }
        });
      }
      return new Columns<FieldRow>()
          .text("id", "", "node id", row -> row.node().nodeId())
          .text("host", "h", "host name", row -> NodeFilter.host(row.node()))
          .text("ip", "", "ip address", row -> NodeFilter.host(row.node()))
          .text("node", "n", "node name", row -> row.node().name())
          .text("field", "f", "field name", FieldRow::field)
          .text("size", "s", "field data usage", row -> new Bytes(row.bytes()))
          .table(rows);
    };
  }
}
