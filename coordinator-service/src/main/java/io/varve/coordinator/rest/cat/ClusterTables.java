package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cluster.Build;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.coordinator.rest.cluster.NodeFilter;
import io.varve.coordinator.rest.search.Counter;
import io.varve.events.NodeHeartbeat;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of the cluster and its nodes. */
final class ClusterTables {

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ClusterAccess cluster;
  private final Counter counter;
  private final InstantSource clock;

  ClusterTables(ClusterAccess cluster, Counter counter, InstantSource clock) {
    this.cluster = cluster;
    this.counter = counter;
    this.clock = clock;
  }

  private record Now(long epochSeconds, String time) {}

  private Now now() {
    Instant now = clock.instant();
    return new Now(now.getEpochSecond(), TIME_OF_DAY.format(now));
  }

  private static CatTable timed(boolean stamped) {
    CatTable table = new CatTable();
    if (stamped) {
      table.column("epoch", "t,time", "seconds since 1970-01-01 00:00:00");
      table.column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS");
    }
    return table;
  }

  Maker health(Question question) {
    boolean stamped = question.request().flag("ts", true);
    return () -> {
      ClusterState state = cluster.state();
      Health health = Health.of(state, state.indices().values());
      CatTable table =
          timed(stamped)
              .column("cluster", "cl", "cluster name")
              .column("status", "st", "health status")
              .number("node.total", "nt,nodeTotal", "total number of nodes")
              .number("node.data", "nd,nodeData", "number of nodes that can store data")
              .column("discovered_cluster_manager", "dcm", "cluster manager is discovered or not")
              .number("shards", "t,sh,shards.total,shardsTotal", "total number of shards")
              .number("pri", "p,shards.primary,shardsPrimary", "number of primary shards")
              .number("relo", "r,shards.relocating,shardsRelocating", "relocating shards")
              .number("init", "i,shards.initializing,shardsInitializing", "initializing shards")
              .number("unassign", "u,shards.unassigned,shardsUnassigned", "unassigned shards")
              .number("pending_tasks", "pt,pendingTasks", "number of pending tasks")
              .number(
                  "max_task_wait_time", "mtwt,maxTaskWaitTime", "wait of the longest task pending")
              .number(
                  "active_shards_percent",
                  "asp,activeShardsPercent",
                  "active number of shards in percent");
      Object[] row = {
        state.clusterName(),
        health.status().word(),
        state.nodes().size(),
        Health.dataNodes(state).size(),
        Health.hasLeader(state),
        health.active(),
        health.primaries(),
        0,
        health.initializing(),
        health.unassigned(),
        0,
        "-",
        String.format(Locale.ROOT, "%.1f%%", health.activePercent())
      };
      table.row(stamped ? with(now(), row) : row);
      return table;
    };
  }

  private static Object[] with(Now now, Object... rest) {
    Object[] row = new Object[rest.length + 2];
    row[0] = now.epochSeconds();
    row[1] = now.time();
    System.arraycopy(rest, 0, row, 2, rest.length);
    return row;
  }

  Maker count(Question question) {
    return () -> {
      CatTable table = timed(true).number("count", "dc,docs.count,docsCount", "the document count");
      long count =
          counter.count(
              IndexResolver.resolve(cluster.state(), question.expression(), question.options()));
      table.row(with(now(), count));
      return table;
    };
  }

  Maker clusterManager(Question question) {
    return () -> {
      CatTable table =
          new CatTable()
              .column("id", "", "node id")
              .column("host", "h", "host name")
              .column("ip", "", "ip address ")
              .column("node", "n", "node name");
      ClusterState state = cluster.state();
      NodeInfo leader = state.nodes().get(state.leaderNodeId());
      if (leader == null) {
        table.row("-", "-", "-", "-");
      } else {
        table.row(leader.nodeId(), NodeFilter.host(leader), NodeFilter.host(leader), leader.name());
      }
      return table;
    };
  }

  Maker nodes(Question question) {
    boolean fullId = question.request().flag("full_id", false);
    return () -> {
      CatTable table =
          new CatTable()
              .number("ip", "i", "ip address")
              .number("heap.percent", "hp,heapPercent", "used heap ratio")
              .number("ram.percent", "rp,ramPercent", "used machine memory ratio")
              .number("cpu", "", "recent cpu usage")
              .number("load_1m", "l", "1m load avg")
              .number("load_5m", "", "5m load avg")
              .number("load_15m", "", "15m load avg")
              .column("node.role", "r,role,nodeRole", "d:data, m:cluster manager, r:remote client")
              .column("node.roles", "rs,all_roles", "roles of the node, with Varve's own names")
              .column("cluster_manager", "cm,m,master", "*:current cluster manager")
              .column("name", "n", "node name")
              .hidden("id", "nodeId", "unique node id")
              .hidden("pid", "p", "process id")
              .hidden("port", "po", "bound port")
              .hidden("http_address", "http", "bound http address")
              .hidden("version", "v", "version of the dialect")
              .hidden("heap.current", "hc,heapCurrent", "used heap")
              .hidden("heap.max", "hm,heapMax", "max configured heap")
              .hidden("ram.current", "rc,ramCurrent", "used machine memory")
              .hidden("ram.max", "rm,ramMax", "total machine memory")
              .hidden("disk.total", "dt,diskTotal", "total disk space")
              .hidden("disk.avail", "d,da,disk,diskAvail", "available disk space");
      ClusterState state = cluster.state();
      Map<String, NodeHeartbeat> heartbeats = cluster.heartbeats();
      for (NodeInfo node : state.nodes().values()) {
        NodeHeartbeat heartbeat = heartbeats.get(node.nodeId());
        row(table, state, node, heartbeat == null ? null : heartbeat.load(), fullId);
      }
      return table;
    };
  }

  private static void row(
      CatTable table,
      ClusterState state,
      NodeInfo node,
      NodeHeartbeat.@Nullable Load load,
      boolean fullId) {
    String address = NodeFilter.address(node);
    String port = address.substring(address.lastIndexOf(':') + 1);
    boolean known = load != null;
    table.row(
        NodeFilter.host(node),
        known ? percent(load.heapUsedBytes(), load.heapMaxBytes()) : null,
        known ? percent(load.memoryUsedBytes(), load.memoryTotalBytes()) : null,
        known ? Math.round(100 * load.cpuFraction()) : null,
        known ? String.format(Locale.ROOT, "%.2f", load.load1m()) : null,
        null,
        null,
        letters(node),
        String.join(",", node.roles().stream().sorted().toList()),
        node.nodeId().equals(state.leaderNodeId()) ? "*" : "-",
        node.name(),
        fullId || node.nodeId().length() < 4 ? node.nodeId() : node.nodeId().substring(0, 4),
        known ? load.processId() : null,
        port,
        address,
        Build.DIALECT,
        known ? new CatTable.Bytes(load.heapUsedBytes()) : null,
        known ? new CatTable.Bytes(load.heapMaxBytes()) : null,
        known ? new CatTable.Bytes(load.memoryUsedBytes()) : null,
        known ? new CatTable.Bytes(load.memoryTotalBytes()) : null,
        known ? new CatTable.Bytes(load.diskTotalBytes()) : null,
        known ? new CatTable.Bytes(load.diskFreeBytes()) : null);
  }

  private static long percent(long part, long whole) {
    return whole <= 0 ? 0 : Math.round(100.0 * part / whole);
  }

  private static String letters(NodeInfo node) {
    String letters =
        (node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA) ? "d" : "")
            + (node.has(NodeInfo.COORDINATOR) ? "m" : "")
            + (node.has(NodeInfo.CCR) ? "r" : "");
    return letters.isEmpty() ? "-" : letters;
  }
}
