package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.rest.Build;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** {@code _cluster/stats}: sums over all indices and all nodes. */
public final class ClusterStatsEndpoint implements RestEndpoint {

  private static final List<String> SECTIONS =
      List.of("docs", "store", "fielddata", "query_cache", "completion", "segments");

  private final ClusterAccess cluster;
  private final CopyReader copies;
  private final NodeReader nodes;
  private final InstantSource clock;

  public ClusterStatsEndpoint(
      ClusterAccess cluster, CopyReader copies, NodeReader nodes, InstantSource clock) {
    this.cluster = cluster;
    this.copies = copies;
    this.nodes = nodes;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_cluster/stats", "/_cluster/stats/nodes/{node_id}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("node_id");
    boolean human = request.flag("human", false);
    request.flag("flat_settings", false);
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    return responder -> {
      ClusterState state = HeardNodes.state(cluster);
      List<NodeInfo> chosen = NodeFilter.select(cluster, expression);
      List<String> ids = chosen.stream().map(NodeInfo::nodeId).toList();
      List<NodeReader.Answer> answers = nodes.read(chosen, timeout);
      StatsReport report =
          StatsReport.read(
              cluster, state, state.indices().values(), copies, StatsRequest.everything());
      List<StatsReport.Copy> here =
          report.copies().stream().filter(copy -> ids.contains(copy.nodeId())).toList();
      Map<String, Object> answer =
          object(
              "_nodes", NodesAnswer.counts(answers),
              "cluster_name", state.clusterName(),
              "cluster_uuid", state.clusterUuid(),
              "timestamp", clock.millis(),
              "status", Health.of(state, state.indices().values()).status().word(),
              "indices", indices(state, report, here),
              "nodes", nodes(answers));
      responder.json(200, human ? HumanText.of(answer) : answer);
    };
  }

  private static Map<String, Object> indices(
      ClusterState state, StatsReport report, List<StatsReport.Copy> here) {
    Map<String, Object> sum = report.sum(here::contains);
    Map<String, Object> primaries =
        report.sum(copy -> here.contains(copy) && copy.answer().primary());
    Map<String, Object> shown =
        object(
            "count",
            here.stream().map(StatsReport.Copy::indexName).distinct().count(),
            "shards",
            shards(here));
    // Each document counts once, whatever the number of its copies.
    SECTIONS.forEach(
        name -> shown.put(name, name.equals("docs") ? primaries.get(name) : sum.get(name)));
    shown.put("analysis", MappingUsage.analysis(state.indices().values()));
    shown.put("mappings", object("field_types", MappingUsage.fieldTypes(state.indices().values())));
    return shown;
  }

  private static Map<String, Object> shards(List<StatsReport.Copy> here) {
    Map<String, List<StatsReport.Copy>> byIndex = new TreeMap<>();
    here.forEach(
        copy -> byIndex.computeIfAbsent(copy.indexName(), _ -> new ArrayList<>()).add(copy));
    if (byIndex.isEmpty()) {
      return object();
    }
    long primaries = primaries(here);
    return object(
        "total", here.size(),
        "primaries", primaries,
        "replication", replication(here),
        "index",
            object(
                "shards", spread(byIndex.values(), copies -> (double) copies.size()),
                "primaries", spread(byIndex.values(), copies -> (double) primaries(copies)),
                "replication", spread(byIndex.values(), ClusterStatsEndpoint::replication)));
  }

  private static long primaries(List<StatsReport.Copy> copies) {
    return copies.stream().filter(copy -> copy.answer().primary()).count();
  }

  private static double replication(List<StatsReport.Copy> copies) {
    long primaries = primaries(copies);
    return primaries == 0 ? 0 : (double) (copies.size() - primaries) / primaries;
  }

  private static Map<String, Object> spread(
      Collection<List<StatsReport.Copy>> indices, Function<List<StatsReport.Copy>, Double> value) {
    List<Double> values = indices.stream().map(value).toList();
    return object(
        "min", values.stream().mapToDouble(Double::doubleValue).min().orElse(0),
        "max", values.stream().mapToDouble(Double::doubleValue).max().orElse(0),
        "avg", values.stream().mapToDouble(Double::doubleValue).average().orElse(0));
  }

  private static Map<String, Object> nodes(List<NodeReader.Answer> answers) {
    List<NodeDetails> reported =
        answers.stream().map(NodeReader.Answer::details).filter(Objects::nonNull).toList();
    return object(
        "count", roles(answers.stream().map(NodeReader.Answer::node).toList()),
        "versions", List.of(Build.DIALECT),
        "os", os(reported),
        "process", process(reported),
        "jvm", jvm(reported),
        "fs", disk(reported),
        "plugins", List.of(),
        "network_types",
            object(
                "transport_types", object("http", reported.size()),
                "http_types", object("jetty", reported.size())),
        "discovery_types", object("log", reported.size()),
        "packaging_types", List.of(object("type", "tar", "count", reported.size())),
        "ingest", object("number_of_pipelines", 0, "processor_stats", object()));
  }

  /** Counts the nodes by role; nodes that can have copies count as data nodes. */
  private static Map<String, Object> roles(List<NodeInfo> nodes) {
    long leading = nodes.stream().filter(node -> node.has(NodeInfo.COORDINATOR)).count();
    long remote =
        nodes.stream()
            .filter(node -> NodeFilter.roles(node).contains("remote_cluster_client"))
            .count();
    return object(
        "total",
        nodes.size(),
        "cluster_manager",
        leading,
        "coordinating_only",
        nodes.stream().filter(n -> NodeFilter.roles(n).isEmpty()).count(),
        "data",
        nodes.stream().filter(NodeFilter::holdsCopies).count(),
        "ingest",
        leading,
        "master",
        leading,
        "remote_cluster_client",
        remote,
        "search",
        0,
        "warm",
        0);
  }

  private static long sum(List<NodeDetails> reported, String... path) {
    return (long) reported.stream().mapToDouble(details -> details.number(0, path)).sum();
  }

  private static Map<String, Object> os(List<NodeDetails> reported) {
    long total = sum(reported, "os", "mem", "total_in_bytes");
    long free = sum(reported, "os", "mem", "free_in_bytes");
    return object(
        "available_processors", infoSum(reported, "available_processors"),
        "allocated_processors", infoSum(reported, "allocated_processors"),
        "names", counted(reported, "os", "name"),
        "pretty_names", counted(reported, "os", "pretty_name"),
        "mem",
            object(
                "total_in_bytes",
                total,
                "free_in_bytes",
                free,
                "used_in_bytes",
                total - free,
                "free_percent",
                percent(free, total),
                "used_percent",
                percent(total - free, total)));
  }

  private static long infoSum(List<NodeDetails> reported, String name) {
    return reported.stream()
        .map(details -> details.info("os").get(name))
        .mapToLong(value -> value instanceof Number number ? number.longValue() : 0)
        .sum();
  }

  private static long percent(long part, long whole) {
    return whole <= 0 ? 0 : Math.round(100.0 * part / whole);
  }

  /** Counts the nodes per distinct reported value. */
  private static List<Object> counted(List<NodeDetails> reported, String section, String name) {
    Map<String, Integer> counts = new TreeMap<>();
    reported.forEach(
        details -> counts.merge(String.valueOf(details.info(section).get(name)), 1, Integer::sum));
    List<Object> shown = new ArrayList<>();
    counts.forEach((value, count) -> shown.add(object(name, value, "count", count)));
    return shown;
  }

  private static Map<String, Object> process(List<NodeDetails> reported) {
    List<Double> open =
        reported.stream()
            .map(details -> details.number(-1, "process", "open_file_descriptors"))
            .toList();
    return object(
        "cpu",
        object("percent", sum(reported, "process", "cpu", "percent")),
        "open_file_descriptors",
        object(
            "min", (long) open.stream().mapToDouble(Double::doubleValue).min().orElse(0),
            "max", (long) open.stream().mapToDouble(Double::doubleValue).max().orElse(0),
            "avg", (long) open.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
  }

  private static Map<String, Object> jvm(List<NodeDetails> reported) {
    Map<Map<String, Object>, Integer> versions = new LinkedHashMap<>();
    for (NodeDetails details : reported) {
      Map<?, ?> info = details.info("jvm");
      versions.merge(
          object(
              "version", info.get("version"),
              "vm_name", info.get("vm_name"),
              "vm_version", info.get("vm_version"),
              "vm_vendor", info.get("vm_vendor"),
              "bundled_jdk", false,
              "using_bundled_jdk", false),
          1,
          Integer::sum);
    }
    List<Object> shown = new ArrayList<>();
    versions.forEach((version, count) -> {
      Map<String, Object> one = new LinkedHashMap<>(version);
      one.put("count", count);
      shown.add(one);
    });
    return object(
        "max_uptime_in_millis",
        (long)
            reported.stream()
                .mapToDouble(f -> f.number(0, "jvm", "uptime_in_millis"))
                .max()
                .orElse(0),
        "versions",
        shown,
        "mem",
        object(
            "heap_used_in_bytes", sum(reported, "jvm", "mem", "heap_used_in_bytes"),
            "heap_max_in_bytes", sum(reported, "jvm", "mem", "heap_max_in_bytes")),
        "threads",
        sum(reported, "jvm", "threads", "count"));
  }

  private static Map<String, Object> disk(List<NodeDetails> reported) {
    return object(
        "total_in_bytes", sum(reported, "fs", "total", "total_in_bytes"),
        "free_in_bytes", sum(reported, "fs", "total", "free_in_bytes"),
        "available_in_bytes", sum(reported, "fs", "total", "available_in_bytes"));
  }
}
