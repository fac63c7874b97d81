package io.varve.coordinator.rest.cat;

import io.varve.client.NodeReader;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.names.Wildcard;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code _cat/thread_pool}: one row for each pool of each node that answers, with the pool's
 * current load and its limits. A pool either scales between {@code core} and {@code max} threads or
 * has a fixed {@code size}; the columns that do not apply are empty.
 */
final class ThreadPoolTable {

  private final ClusterAccess cluster;
  private final NodeReader nodes;

  ThreadPoolTable(ClusterAccess cluster, NodeReader nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  private record PoolRow(NodeRow row, String name, Map<?, ?> stats, Map<?, ?> info) {

    boolean scaling() {
      return "scaling".equals(info.get("type"));
    }
  }

  Maker prepare(Question question) {
    List<String> patterns = question.request().list("thread_pool_patterns");
    // Accepted without effect: the numbers have no unit.
    question.request().param("size");
    question.options(IndexOptions.LENIENT);
    return () -> {
      List<PoolRow> rows = new ArrayList<>();
      for (NodeReader.Answer answer :
          nodes.read(NodeFilter.select(cluster, null), NodeRow.TIMEOUT)) {
        NodeDetails reported = answer.details();
        if (reported != null) {
          NodeRow row = new NodeRow(answer.node(), reported, StatSections.UNKNOWN, false);
          new TreeMap<String, Object>(strings(reported.stats("thread_pool")))
              .forEach((name, stats) -> {
                if (patterns.isEmpty()
                    || patterns.stream().anyMatch(p -> Wildcard.matches(p, name))) {
                  rows.add(
                      new PoolRow(
                          row,
                          name,
                          (Map<?, ?>) stats,
                          (Map<?, ?>)
                              strings(reported.info("thread_pool")).getOrDefault(name, Map.of())));
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
        .number("queue", "q", "tasks currently in queue", p -> p.stats().get("queue"))
        .hidden(
            "queue_size", "qs", "maximum number of tasks in queue", p -> p.info().get("queue_size"))
        .number("rejected", "r", "number of rejected tasks", p -> p.stats().get("rejected"))
        .hidden("largest", "l", "highest number of active threads", p -> p.stats().get("largest"))
        .hidden("completed", "c", "number of completed tasks", p -> p.stats().get("completed"))
        .hidden(
            "total_wait_time",
            "twt",
            "total time tasks spent waiting in queue",
            ThreadPoolTable::waited)
        .hidden(
            "core",
            "cr",
            "core number of threads in a scaling thread pool",
            p -> p.scaling() ? p.info().get("core") : null)
        .hidden(
            "max",
            "mx",
            "maximum number of threads in a scaling thread pool",
            p -> p.scaling() ? p.info().get("max") : null)
        .hidden(
            "size",
            "sz",
            "number of threads in a fixed thread pool",
            p -> p.scaling() ? null : p.info().get("size"))
        .hidden("keep_alive", "ka", "thread keep alive time", p -> p.info().get("keep_alive"));
  }

  private static Object waited(PoolRow pool) {
    return pool.stats().get("total_wait_time_in_nanos") instanceof Number nanos
        ? new Time(Duration.ofNanos(nanos.longValue()))
        : -1;
  }
}
