package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.CopyRecovery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code _recovery}: the recovery of each copy. */
public final class RecoveryEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopyReader reader;
  private final InstantSource clock;

  public RecoveryEndpoint(ClusterAccess cluster, CopyReader reader, InstantSource clock) {
    this.cluster = cluster;
    this.reader = reader;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_recovery", "/{index}/_recovery");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    boolean activeOnly = request.flag("active_only", false);
    boolean detailed = request.flag("detailed", false);
    boolean human = request.flag("human", false);
    IndexOptions defaults = new IndexOptions(false, true, true, true);
    IndexOptions options = IndexOptions.of(request, defaults);
    return responder -> {
      ClusterState state = cluster.state();
      List<CopyReader.Answer<CopyRecovery>> answers =
          reader.recoveries(state, IndexResolver.resolve(state, expression, options));
      Map<String, Object> byIndex = new LinkedHashMap<>();
      for (CopyReader.Answer<CopyRecovery> answer : answers) {
        CopyRecovery recovery = answer.reported();
        if (recovery != null && !(activeOnly && recovery.stage().equals("DONE"))) {
          shards(byIndex, answer.index().name()).add(shard(state, answer, recovery, detailed));
        }
      }
      responder.json(200, human ? HumanText.of(byIndex) : byIndex);
    };
  }

  @SuppressWarnings("unchecked")
  private static List<Object> shards(Map<String, Object> byIndex, String name) {
    Map<String, Object> index =
        (Map<String, Object>) byIndex.computeIfAbsent(name, _ -> new LinkedHashMap<>());
    return (List<Object>) index.computeIfAbsent("shards", _ -> new ArrayList<>());
  }

  private Map<String, Object> shard(
      ClusterState state,
      CopyReader.Answer<CopyRecovery> answer,
      CopyRecovery recovery,
      boolean detailed) {
    RecoverySummary summary = new RecoverySummary(recovery);
    Map<String, Object> shown =
        object(
            "id", recovery.shard().number(),
            "type", recovery.type(),
            "stage", recovery.stage(),
            "primary", recovery.primary(),
            "start_time_in_millis", recovery.times().startMillis());
    if (summary.done()) {
      shown.put("stop_time_in_millis", recovery.times().stopMillis());
    }
    shown.put("total_time_in_millis", summary.totalMillis(clock.millis()));
    NodeInfo source =
        recovery.sourceNodeId() == null ? null : state.nodes().get(recovery.sourceNodeId());
    shown.put("source", source == null ? object() : node(source));
    shown.put("target", node(answer.copy().node()));
    shown.put("index", files(summary, detailed));
    long operations = recovery.operations();
    shown.put(
        "translog",
        object(
            "recovered", operations,
            "total", operations,
            "percent", summary.operationsPercent(),
            "total_on_start", operations,
            "total_time_in_millis", recovery.times().logMillis()));
    shown.put(
        "verify_index",
        object(
            "check_index_time_in_millis", recovery.times().verifyMillis(),
            "total_time_in_millis", recovery.times().verifyMillis()));
    return shown;
  }

  private static Map<String, Object> node(NodeInfo node) {
    return object(
        "id", node.nodeId(),
        "host", NodeFilter.host(node),
        "transport_address", NodeFilter.address(node),
        "ip", NodeFilter.host(node),
        "name", node.name());
  }

  private static Map<String, Object> files(RecoverySummary summary, boolean detailed) {
    RecoverySummary.Share bytes = summary.bytes();
    RecoverySummary.Share files = summary.files();
    Map<String, Object> byFile =
        object(
            "total", files.total(),
            "reused", files.reused(),
            "recovered", files.recovered(),
            "percent", files.percent());
    if (detailed) {
      byFile.put(
          "details",
          summary.recovery().files().stream()
              .map(file ->
                  object(
                      "name", file.name(),
                      "length_in_bytes", file.lengthBytes(),
                      "reused", file.reused(),
                      "recovered_in_bytes", file.reused() ? 0 : file.recoveredBytes(),
                      // Typed clients expect the same values under these names too.
                      "length", file.lengthBytes(),
                      "recovered", file.reused() ? 0 : file.recoveredBytes()))
              .toList());
    }
    return object(
        "size",
        object(
            "total_in_bytes", bytes.total(),
            "reused_in_bytes", bytes.reused(),
            "recovered_in_bytes", bytes.recovered(),
            "percent", bytes.percent()),
        "files",
        byFile,
        "total_time_in_millis",
        summary.recovery().times().indexMillis(),
        "source_throttle_time_in_millis",
        0L,
        "target_throttle_time_in_millis",
        0L);
  }
}
