package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.index.IndexJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** {@code _cluster/state}: the fold of the cluster log. */
public final class ClusterStateEndpoint implements RestEndpoint {

  private static final Set<String> ALL =
      Set.of(
          "version",
          "master_node",
          "cluster_manager_node",
          "blocks",
          "nodes",
          "metadata",
          "routing_table",
          "routing_nodes");

  private final ClusterAccess cluster;

  public ClusterStateEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get(
        "/_cluster/state", "/_cluster/state/{metric}", "/_cluster/state/{metric}/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    List<String> asked = request.list("metric");
    Set<String> metrics = asked.isEmpty() || asked.contains("_all") ? ALL : Set.copyOf(asked);
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, new IndexOptions(true, true, true, true));
    // The state is here, whether it is asked of this node alone or not.
    request.flag("local", false);
    request.flag("flat_settings", false);
    request.clusterManagerTimeout();
    return responder -> {
      ClusterState state = cluster.state();
      responder.json(
          200, answer(state, IndexResolver.resolve(state, expression, options), metrics));
    };
  }

  private static Map<String, Object> answer(
      ClusterState state, List<IndexMetadata> indices, Set<String> metrics) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("cluster_name", state.clusterName());
    answer.put("cluster_uuid", state.clusterUuid());
    if (metrics.contains("version")) {
      answer.put("version", state.version());
      answer.put("state_uuid", stateUuid(state));
    }
    if (metrics.contains("master_node")) {
      answer.put("master_node", state.leaderNodeId());
    }
    if (metrics.contains("cluster_manager_node")) {
      answer.put("cluster_manager_node", state.leaderNodeId());
    }
    if (metrics.contains("blocks")) {
      answer.put("blocks", Map.of());
    }
    if (metrics.contains("nodes")) {
      Map<String, Object> nodes = new LinkedHashMap<>();
      state.nodes().forEach((id, node) -> nodes.put(id, node(node)));
      answer.put("nodes", nodes);
    }
    if (metrics.contains("metadata")) {
      answer.put("metadata", metadata(state, indices));
    }
    if (metrics.contains("routing_table")) {
      answer.put("routing_table", routingTable(state, indices));
    }
    if (metrics.contains("routing_nodes")) {
      answer.put("routing_nodes", routingNodes(state, indices));
    }
    return answer;
  }

  /** The same for the same state on every node. */
  private static String stateUuid(ClusterState state) {
    String name = state.clusterUuid() + "/" + state.leaderTerm() + "/" + state.version();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static Map<String, Object> node(NodeInfo node) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", node.name());
    shown.put("ephemeral_id", node.incarnation());
    shown.put("transport_address", NodeFilter.address(node));
    shown.put("attributes", Map.of("varve_roles", String.join(",", node.roles())));
    return shown;
  }

  private static Map<String, Object> metadata(ClusterState state, List<IndexMetadata> indices) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("cluster_uuid", state.clusterUuid());
    metadata.put("persistent_settings", SettingsTree.nest(state.persistentSettings()));
    metadata.put("transient_settings", SettingsTree.nest(state.transientSettings()));
    Map<String, Object> byName = new LinkedHashMap<>();
    for (IndexMetadata index : indices) {
      Map<String, Object> shown = new LinkedHashMap<>();
      shown.put("state", index.closed() ? "close" : "open");
      shown.put("aliases_version", index.access().aliasesVersion());
      shown.put("routing_num_shards", RoutingHash.routingShards(index));
      shown.put("settings_version", index.settingsVersion());
      shown.put("mapping_version", index.mappingVersion());
      shown.put("settings", SettingsTree.nest(index.settings()));
      shown.put("mappings", Map.of("_doc", IndexJson.mapping(index)));
      shown.put("aliases", List.copyOf(index.aliases().keySet()));
      Map<String, Object> terms = new LinkedHashMap<>();
      Map<String, Object> inSync = new LinkedHashMap<>();
      for (ShardRouting shard : index.shards()) {
        String number = Integer.toString(shard.shard().number());
        terms.put(number, shard.primaryTerm());
        inSync.put(
            number,
            shard.copies().stream().filter(state::active).map(CopyRouting::copyId).toList());
      }
      shown.put("primary_terms", terms);
      shown.put("in_sync_allocations", inSync);
      byName.put(index.name(), shown);
    }
    metadata.put("indices", byName);
    return metadata;
  }

  private static Map<String, Object> routingTable(ClusterState state, List<IndexMetadata> indices) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (IndexMetadata index : indices) {
      Map<String, Object> shards = new LinkedHashMap<>();
      for (ShardRouting shard : index.shards()) {
        shards.put(
            Integer.toString(shard.shard().number()),
            shard.copies().stream().map(copy -> copy(state, index, shard, copy)).toList());
      }
      byName.put(index.name(), Map.of("shards", shards));
    }
    return Map.of("indices", byName);
  }

  private static Map<String, Object> routingNodes(ClusterState state, List<IndexMetadata> indices) {
    List<Object> unassigned = new ArrayList<>();
    Map<String, List<Object>> nodes = new LinkedHashMap<>();
    state.nodes().keySet().forEach(id -> nodes.put(id, new ArrayList<>()));
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          List<Object> there = copy.nodeId() == null ? null : nodes.get(copy.nodeId());
          (there == null ? unassigned : there).add(copy(state, index, shard, copy));
        }
      }
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("unassigned", unassigned);
    answer.put("nodes", nodes);
    return answer;
  }

  private static Map<String, Object> copy(
      ClusterState state, IndexMetadata index, ShardRouting shard, CopyRouting copy) {
    boolean member = copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("state", member ? copy.state().name() : "UNASSIGNED");
    shown.put("primary", copy.primary());
    shown.put("node", member ? copy.nodeId() : null);
    shown.put("relocating_node", null);
    shown.put("shard", shard.shard().number());
    shown.put("index", index.name());
    shown.put("allocation_id", Map.of("id", copy.copyId()));
    if (!member) {
      shown.put("unassigned_info", Map.of("reason", copy.reason()));
    }
    return shown;
  }
}
