package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.Wildcard;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.coordinator.rest.cluster.Build;
import io.varve.coordinator.rest.cluster.NodeFilter;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsWish;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.coordinator.rest.shard.NodeReader;
import io.varve.rpc.NodeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of nodes. */
final class NodeTables {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

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

  NodeTables(ClusterAccess cluster, CopyReader copies, NodeReader nodes) {
    this.cluster = cluster;
    this.copies = copies;
    this.nodes = nodes;
  }

  /** A node; what it did not tell is shown as empty. */
  private record Row(NodeInfo node, @Nullable NodeFigures said, Figures figures, boolean leads) {

    @Nullable Object number(String... path) {
      double value = said == null ? Double.NaN : said.number(Double.NaN, path);
      return Double.isNaN(value) ? null : (long) value;
    }

    @Nullable Object bytes(String... path) {
      return number(path) instanceof Long size ? new Bytes(size) : null;
    }

    @Nullable Object load(String span) {
      double value =
          said == null ? Double.NaN : said.number(Double.NaN, "os", "cpu", "load_average", span);
      return Double.isNaN(value) ? null : String.format(Locale.ROOT, "%.2f", value);
    }

    @Nullable Object info(String section, String name) {
      return said == null ? null : said.info(section).get(name);
    }

    long disk(String figure) {
      return number("fs", "total", figure) instanceof Long size ? size : -1;
    }
  }

  Maker nodes(Question question) {
    boolean fullId = question.request().flag("full_id", false);
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsWish.everything());
      List<Row> rows = new ArrayList<>();
      for (NodeReader.Answer answer : nodes.read(NodeFilter.select(cluster, null), TIMEOUT)) {
        NodeInfo node = answer.node();
        rows.add(
            new Row(
                node,
                answer.figures(),
                new Figures(report.sum(copy -> copy.nodeId().equals(node.nodeId()))),
                node.nodeId().equals(state.leaderNodeId())));
      }
      Columns<Row> columns = new Columns<>();
      addIdentity(columns, fullId);
      addMachine(columns);
      addRoles(columns);
      return columns
          .stats(STATS, Row::figures)
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
          .stats(LAST_STATS, Row::figures)
          .table(rows);
    };
  }

  private static void addIdentity(Columns<Row> columns, boolean fullId) {
    columns
        .hiddenText("id", "id,nodeId", "unique node id", row -> shownId(row.node(), fullId))
        .hidden("pid", "p", "process id", row -> row.info("process", "id"))
        .text("ip", "i", "ip address", row -> NodeFilter.host(row.node()))
        .hidden("port", "po", "bound transport port", row -> NodeFilter.port(row.node()))
        .hiddenText(
            "http_address", "http", "bound http address", row -> NodeFilter.address(row.node()))
        .hiddenText("version", "v", "version of the dialect", _ -> Build.DIALECT)
        .hiddenText("type", "t", "distribution type", _ -> "tar")
        .hiddenText("build", "b", "build hash", _ -> Build.hash())
        .hiddenText("jdk", "j", "jdk version", row -> row.info("jvm", "version"));
  }

  private static String shownId(NodeInfo node, boolean full) {
    return full || node.nodeId().length() <= 4 ? node.nodeId() : node.nodeId().substring(0, 4);
  }

  private static void addMachine(Columns<Row> columns) {
    columns
        .hidden("disk.total", "dt,diskTotal", "total disk space", disk("total_in_bytes"))
        .hidden(
            "disk.used",
            "du,diskUsed",
            "used disk space",
            row -> used(row) < 0 ? null : new Bytes(used(row)))
        .hidden(
            "disk.avail", "d,da,disk,diskAvail", "available disk space", disk("available_in_bytes"))
        .hidden(
            "disk.used_percent",
            "dup,diskUsedPercent",
            "used disk space percentage",
            row ->
                used(row) < 0
                    ? null
                    : String.format(
                        Locale.ROOT, "%.2f", 100.0 * used(row) / row.disk("total_in_bytes")))
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
            NodeTables::filesPercent)
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

  private static Function<Row, @Nullable Object> disk(String figure) {
    return row -> row.bytes("fs", "total", figure);
  }

  private static long used(Row row) {
    long total = row.disk("total_in_bytes");
    return total <= 0 ? -1 : total - row.disk("available_in_bytes");
  }

  private static @Nullable Object filesPercent(Row row) {
    return row.number("process", "open_file_descriptors") instanceof Long open
            && row.number("process", "max_file_descriptors") instanceof Long max
            && max > 0
        ? 100 * open / max
        : 0;
  }

  private static void addRoles(Columns<Row> columns) {
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

  /** Copies on a node, or those without one: then {@code node} is null. */
  private record Allocation(@Nullable Row row, long shards, long indexBytes) {

    @Nullable Object of(Function<Row, @Nullable Object> value) {
      return row == null ? null : value.apply(row);
    }
  }

  Maker allocation(Question question) {
    String expression = question.request().param("node_id", "data:true");
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsWish.everything());
      List<NodeInfo> chosen =
          NodeFilter.select(cluster, expression).stream()
              .filter(node -> !expression.equals("data:true") || NodeFilter.holdsCopies(node))
              .toList();
      List<Allocation> rows = new ArrayList<>();
      for (NodeReader.Answer answer : nodes.read(chosen, TIMEOUT)) {
        String id = answer.node().nodeId();
        Figures sum = new Figures(report.sum(copy -> copy.nodeId().equals(id)));
        rows.add(
            new Allocation(
                new Row(answer.node(), answer.figures(), sum, false),
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
            a -> a.of(row -> used(row) < 0 ? null : new Bytes(used(row))))
        .number(
            "disk.avail", "da,diskAvail", "disk available", a -> a.of(disk("available_in_bytes")))
        .number(
            "disk.total",
            "dt,diskTotal",
            "total capacity of all volumes",
            a -> a.of(disk("total_in_bytes")))
        .number(
            "disk.percent",
            "dp,diskPercent",
            "percent disk used",
            a -> a.of(row -> used(row) < 0 ? null : 100 * used(row) / row.disk("total_in_bytes")))
        .text("host", "h", "host of node", a -> a.of(row -> NodeFilter.host(row.node())))
        .text("ip", "", "ip of node", a -> a.of(row -> NodeFilter.host(row.node())))
        .text(
            "node",
            "n",
            "name of node",
            a -> a.row() == null ? "UNASSIGNED" : a.row().node().name());
  }

  private record Attribute(Row row, String name, String value) {}

  Maker attributes(Question question) {
    return () -> {
      List<Attribute> rows = new ArrayList<>();
      for (NodeReader.Answer answer : nodes.read(NodeFilter.select(cluster, null), TIMEOUT)) {
        Row row = new Row(answer.node(), answer.figures(), Figures.UNKNOWN, false);
        NodeFilter.attributes(answer.node())
            .forEach((name, value) -> rows.add(new Attribute(row, name, value)));
      }
      return new Columns<Attribute>()
          .text("node", "", "node name", a -> a.row().node().name())
          .hiddenText("id", "id,nodeId", "unique node id", a -> shownId(a.row().node(), false))
          .hidden("pid", "p", "process id", a -> a.row().info("process", "id"))
          .text("host", "h", "host name", a -> NodeFilter.host(a.row().node()))
          .text("ip", "i", "ip address", a -> NodeFilter.host(a.row().node()))
          .hidden("port", "po", "bound transport port", a -> NodeFilter.port(a.row().node()))
          .text("attr", "attr.name", "attribute description", Attribute::name)
          .text("value", "attr.value", "attribute value", Attribute::value)
          .table(rows);
    };
  }

  /** Everything is built in. */
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

  private record FieldRow(NodeInfo node, String field, long bytes) {}

  Maker fielddata(Question question) {
    List<String> wanted = question.request().list("fields");
    return () -> {
      ClusterState state = cluster.state();
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsWish.everything());
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

  private record PoolRow(Row row, String name, Map<?, ?> stats, Map<?, ?> info) {

    boolean scaling() {
      return "scaling".equals(info.get("type"));
    }
  }

  Maker threadPools(Question question) {
    List<String> patterns = question.request().list("thread_pool_patterns");
    // It once was the unit of the numbers, which have none.
    question.request().param("size");
    question.options(IndexOptions.LENIENT);
    return () -> {
      List<PoolRow> rows = new ArrayList<>();
      for (NodeReader.Answer answer : nodes.read(NodeFilter.select(cluster, null), TIMEOUT)) {
        NodeFigures said = answer.figures();
        if (said != null) {
          Row row = new Row(answer.node(), said, Figures.UNKNOWN, false);
          new TreeMap<String, Object>(strings(said.stats("thread_pool")))
              .forEach((name, stats) -> {
                if (patterns.isEmpty()
                    || patterns.stream().anyMatch(p -> Wildcard.matches(p, name))) {
                  rows.add(
                      new PoolRow(
                          row,
                          name,
                          (Map<?, ?>) stats,
                          (Map<?, ?>)
                              strings(said.info("thread_pool")).getOrDefault(name, Map.of())));
                }
              });
        }
      }
      return poolColumns().table(rows);
    };
  }

  private static Map<String, Object> strings(Map<?, ?> map) {
    Map<String, Object> strings = new TreeMap<>();
    map.forEach((key, value) -> {
      if (value != null) {
        strings.put(String.valueOf(key), value);
      }
    });
    return strings;
  }

  private static Columns<PoolRow> poolColumns() {
    return new Columns<PoolRow>()
        .text("node_name", "nn", "node name", p -> p.row().node().name())
        .hiddenText("node_id", "id", "persistent node id", p -> p.row().node().nodeId())
        .hiddenText(
            "ephemeral_node_id", "eid", "ephemeral node id", p -> p.row().node().incarnation())
        .hidden("pid", "p", "process id", p -> p.row().info("process", "id"))
        .hiddenText("host", "h", "host name", p -> NodeFilter.host(p.row().node()))
        .hiddenText("ip", "i", "ip address", p -> NodeFilter.host(p.row().node()))
        .hidden("port", "po", "bound transport port", p -> NodeFilter.port(p.row().node()))
        .text("name", "n", "thread pool name", PoolRow::name)
        .hiddenText("type", "t", "thread pool type", p -> p.info().get("type"))
        .number("active", "a", "number of active threads", p -> p.stats().get("active"))
        .hidden("pool_size", "psz", "number of threads", p -> p.stats().get("threads"))
        .number("queue", "q", "tasks that wait", p -> p.stats().get("queue"))
        .hidden("queue_size", "qs", "tasks that may wait", p -> p.info().get("queue_size"))
        .number("rejected", "r", "number of rejected tasks", p -> p.stats().get("rejected"))
        .hidden("largest", "l", "highest number of active threads", p -> p.stats().get("largest"))
        .hidden("completed", "c", "number of completed tasks", p -> p.stats().get("completed"))
        .hidden("total_wait_time", "twt", "time that tasks waited", NodeTables::waited)
        .hidden("core", "cr", "threads that stay", p -> p.scaling() ? p.info().get("core") : null)
        .hidden("max", "mx", "threads at most", p -> p.scaling() ? p.info().get("max") : null)
        .hidden("size", "sz", "fixed threads", p -> p.scaling() ? null : p.info().get("size"))
        .hidden("keep_alive", "ka", "thread keep alive time", p -> p.info().get("keep_alive"));
  }

  private static Object waited(PoolRow pool) {
    return pool.stats().get("total_wait_time_in_nanos") instanceof Number nanos
        ? new Time(Duration.ofNanos(nanos.longValue()))
        : -1;
  }
}
