package io.varve.coordinator.rest.cat;

import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Tables that identify the nodes without statistics: the cluster manager, node attributes and
 * plugins. Statistics are in {@link NodeTable}, {@link AllocationTable}, {@link FielddataTable} and
 * {@link ThreadPoolTable}.
 */
final class NodeTables {

  private final ClusterAccess cluster;
  private final NodeReader nodes;

  NodeTables(ClusterAccess cluster, NodeReader nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  Maker clusterManager(Question question) {
    return () -> {
      ClusterState state = cluster.state();
      return new Columns<String>()
          .text("id", "", "node id", id -> id.isEmpty() ? "-" : id)
          .text("host", "h", "host name", leader(state, NodeFilter::host))
          .text("ip", "", "ip address ", leader(state, NodeFilter::host))
          .text("node", "n", "node name", leader(state, NodeInfo::name))
          .table(List.of(state.leaderNodeId()));
    };
  }

  private static Function<String, Object> leader(
      ClusterState state, Function<NodeInfo, Object> value) {
    return id -> state.node(id).map(value).orElse("-");
  }

  private record Attribute(NodeRow row, String name, String value) {}

  Maker attributes(Question question) {
    return () -> {
      List<Attribute> rows = new ArrayList<>();
      for (NodeReader.Answer answer :
          nodes.read(NodeFilter.select(cluster, null), NodeRow.TIMEOUT)) {
        NodeRow row = new NodeRow(answer.node(), answer.details(), StatSections.UNKNOWN, false);
        NodeFilter.attributes(answer.node())
            .forEach((name, value) -> rows.add(new Attribute(row, name, value)));
      }
      return new Columns<Attribute>()
          .text("node", "", "node name", a -> a.row().node().name())
          .hiddenText("id", "id,nodeId", "unique node id", a -> a.row().id(false))
          .hidden("pid", "p", "process id", a -> a.row().info("process", "id"))
          .text("host", "h", "host name", a -> NodeFilter.host(a.row().node()))
          .text("ip", "i", "ip address", a -> NodeFilter.host(a.row().node()))
          .hidden("port", "po", "bound transport port", a -> NodeFilter.port(a.row().node()))
          .text("attr", "attr.name", "attribute description", Attribute::name)
          .text("value", "attr.value", "attribute value", Attribute::value)
          .table(rows);
    };
  }

  /** Always empty: all features are built in. */
  Maker plugins(Question question) {
    return () ->
        new Columns<Void>()
            .hiddenText("id", "", "unique node id", _ -> null)
            .text("name", "n", "node name", _ -> null)
            .text("component", "c", "component", _ -> null)
            .text("version", "v", "component version", _ -> null)
            .hiddenText("description", "d", "plugin details", _ -> null)
            .table(List.of());
  }
}
