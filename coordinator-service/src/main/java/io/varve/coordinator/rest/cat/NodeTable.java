package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.rest.Build;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/nodes}: one row for each node, with its identity, its machine (disk, heap, memory,
 * files, load), its roles, and the summed statistics of its copies.
 *
 * <p>The four groups of columns keep this order, because scripts count columns of the plain text.
 * Varve has no search scripts, so their columns are present and always 0.
 */
final class NodeTable {

  private static final List<StatColumn> STATS =
      StatColumn.starting(
          "completion.",
          "fielddata.",
          "query_cache.",
          "request_cache.",
          "flush.",
          "get.",
          "indexing.",
          "merges.",
          "refresh.");

  private static final List<StatColumn> LAST_STATS =
      StatColumn.without(
          StatColumn.starting("search.", "segments.", "suggest."),
          "search.search_idle_reactivate_count_total");

  private final ClusterAccess cluster;
  private final CopyReader copies;
  private final NodeReader nodes;

  NodeTable(ClusterAccess cluster, CopyReader copies, NodeReader nodes) {
    this.cluster = cluster;
    this.copies = copies;
    this.nodes = nodes;
  }

  Maker prepare(Question question) {
    boolean fullId = question.request().flag("full_id", false);
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsRequest.everything());
      List<NodeRow> rows = new ArrayList<>();
      for (NodeReader.Answer answer :
          nodes.read(NodeFilter.select(cluster, null), NodeRow.TIMEOUT)) {
        NodeInfo node = answer.node();
        rows.add(
            new NodeRow(
                node,
                answer.details(),
                new StatSections(report.sum(copy -> copy.nodeId().equals(node.nodeId()))),
                node.nodeId().equals(state.leaderNodeId())));
      }
      Columns<NodeRow> columns = new Columns<>();
      addIdentity(columns, fullId);
      addMachine(columns);
      addRoles(columns);
      return columns
          .stats(STATS, NodeRow::stats)
          .hidden("script.compilations", "scrcc,scriptCompilations", "script compilations", _ -> 0)
          .hidden(
              "script.cache_evictions",
              "scrce,scriptCacheEvictions",
              "script cache evictions",
              _ -> 0)
          .hidden(
              "script.compilation_limit_triggered",
              "scrclt,scriptCacheCompilationLimitTriggered",
              "times that the limit of script compilations was met",
              _ -> 0)
          .stats(LAST_STATS, NodeRow::stats)
          .table(rows);
    };
  }

  private static void addIdentity(Columns<NodeRow> columns, boolean fullId) {
    columns
        .hiddenText("id", "id,nodeId", "unique node id", row -> row.id(fullId))
        .hidden("pid", "p", "process id", row -> row.info("process", "id"))
        .text("ip", "i", "ip address", row -> NodeFilter.host(row.node()))
        .hidden("port", "po", "bound transport port", row -> NodeFilter.port(row.node()))
        .hiddenText("http_address", "http", "bound http address", row -> clients(row.node()))
        .hiddenText("version", "v", "version of the dialect", _ -> Build.DIALECT)
        .hiddenText("type", "t", "distribution type", _ -> "tar")
        .hiddenText("build", "b", "build hash", _ -> Build.hash())
        .hiddenText("jdk", "j", "jdk version", row -> row.info("jvm", "version"));
  }

  private static void addMachine(Columns<NodeRow> columns) {
    columns
        .hidden(
            "disk.total", "dt,diskTotal", "total disk space", NodeRow.diskBytes("total_in_bytes"))
        .hidden(
            "disk.used",
            "du,diskUsed",
            "used disk space",
            row -> row.diskUsed() < 0 ? null : new Bytes(row.diskUsed()))
        .hidden(
            "disk.avail",
            "d,da,disk,diskAvail",
            "available disk space",
            NodeRow.diskBytes("available_in_bytes"))
        .hidden(
            "disk.used_percent",
            "dup,diskUsedPercent",
            "used disk space percentage",
            row ->
                row.diskUsed() < 0
                    ? null
                    : String.format(
                        Locale.ROOT, "%.2f", 100.0 * row.diskUsed() / row.disk("total_in_bytes")))
        .hidden(
            "heap.current",
            "hc,heapCurrent",
            "used heap",
            row -> row.bytes("jvm", "mem", "heap_used_in_bytes"))
        .number(
            "heap.percent",
            "hp,heapPercent",
            "used heap ratio",
            row -> row.number("jvm", "mem", "heap_used_percent"))
        .hidden(
            "heap.max",
            "hm,heapMax",
            "max configured heap",
            row -> row.bytes("jvm", "mem", "heap_max_in_bytes"))
        .hidden(
            "ram.current",
            "rc,ramCurrent",
            "used machine memory",
            row -> row.bytes("os", "mem", "used_in_bytes"))
        .number(
            "ram.percent",
            "rp,ramPercent",
            "used machine memory ratio",
            row -> row.number("os", "mem", "used_percent"))
        .hidden(
            "ram.max",
            "rm,ramMax",
            "total machine memory",
            row -> row.bytes("os", "mem", "total_in_bytes"))
        .hidden(
            "file_desc.current",
            "fdc,fileDescriptorCurrent",
            "used file descriptors",
            row -> row.number("process", "open_file_descriptors"))
        .hidden(
            "file_desc.percent",
            "fdp,fileDescriptorPercent",
            "used file descriptor ratio",
            NodeTable::filesPercent)
        .hidden(
            "file_desc.max",
            "fdm,fileDescriptorMax",
            "max file descriptors",
            row -> row.number("process", "max_file_descriptors"))
        .number("cpu", "cpu", "recent cpu usage", row -> row.number("os", "cpu", "percent"))
        .number("load_1m", "l", "1m load avg", row -> row.load("1m"))
        .number("load_5m", "l", "5m load avg", row -> row.load("5m"))
        .number("load_15m", "l", "15m load avg", row -> row.load("15m"))
        .hidden(
            "uptime",
            "u",
            "node uptime",
            row ->
                row.number("jvm", "uptime_in_millis") instanceof Long up
                    ? new Time(Duration.ofMillis(up))
                    : null);
  }

  private static @Nullable Object filesPercent(NodeRow row) {
    return row.number("process", "open_file_descriptors") instanceof Long open
            && row.number("process", "max_file_descriptors") instanceof Long max
            && max > 0
        ? 100 * open / max
        : 0;
  }

  private static void addRoles(Columns<NodeRow> columns) {
    columns
        .text(
            "node.role",
            "r,role,nodeRole",
            "m:cluster manager eligible, d:data, i:ingest, r:remote client",
            row -> NodeFilter.letters(row.node()))
        .text(
            "node.roles",
            "rs,all roles",
            "-:coordinating node only",
            row -> {
              List<String> roles = NodeFilter.roles(row.node());
              return roles.isEmpty() ? "-" : String.join(",", roles);
            })
        .text(
            "cluster_manager",
            "cm,m,master",
            "*:current cluster manager",
            row -> row.leads() ? "*" : "-")
        .text("name", "n", "node name", row -> row.node().name());
  }

  /** The address for clients; a dash if clients can't use it. */
  private static String clients(NodeInfo node) {
    return NodeFilter.requiresCertificates(node) ? "-" : NodeFilter.address(node);
  }
}
