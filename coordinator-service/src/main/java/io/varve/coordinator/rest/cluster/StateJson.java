package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.index.IndexJson;
import io.varve.coordinator.rest.template.TemplateJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts the cluster state to OpenSearch's JSON, section by section. */
final class StateJson {

  static final Set<String> METRICS =
      Set.of(
          "version",
          "master_node",
          "cluster_manager_node",
          "blocks",
          "nodes",
          "metadata",
          "routing_table",
          "routing_nodes",
          "customs");

  private final ClusterState state;
  private final Collection<IndexMetadata> indices;
  private final boolean flatSettings;

  StateJson(ClusterState state, Collection<IndexMetadata> indices, boolean flatSettings) {
    this.state = state;
    this.indices = indices;
    this.flatSettings = flatSettings;
  }

  Map<String, Object> of(Set<String> metrics) {
    Map<String, Object> answer =
        object("cluster_name", state.clusterName(), "cluster_uuid", state.clusterUuid());
    putIf(answer, metrics, "version", state.version());
    if (metrics.contains("version")) {
      answer.put("state_uuid", stateUuid());
    }
    putIf(answer, metrics, "master_node", state.leaderNodeId());
    putIf(answer, metrics, "cluster_manager_node", state.leaderNodeId());
    putIf(answer, metrics, "blocks", blocks());
    putIf(answer, metrics, "nodes", nodes());
    putIf(answer, metrics, "metadata", metadata());
    putIf(answer, metrics, "routing_table", routingTable());
    putIf(answer, metrics, "routing_nodes", routingNodes());
    return answer;
  }

  private static void putIf(
      Map<String, Object> answer, Set<String> metrics, String name, Object value) {
    if (metrics.contains(name)) {
      answer.put(name, value);
    }
  }

  /** Returns a uuid that is the same on every node for the same state. */
  private String stateUuid() {
    String name = state.clusterUuid() + "/" + state.leaderTerm() + "/" + state.version();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private Map<String, Object> blocks() {
    Map<String, Object> byIndex = new LinkedHashMap<>();
    for (IndexMetadata index : indices) {
      Map<String, Object> shown = new LinkedHashMap<>();
      for (IndexBlocks.Shown block : IndexBlocks.of(index)) {
        shown.put(
            block.id(),
            object(
                "description", block.description(),
                "retryable", false,
                "levels", block.levels()));
      }
      if (!shown.isEmpty()) {
        byIndex.put(index.name(), shown);
      }
    }
    return byIndex.isEmpty() ? object() : object("indices", byIndex);
  }

  private Map<String, Object> nodes() {
    Map<String, Object> nodes = new LinkedHashMap<>();
    state.nodes().forEach((id, node) -> nodes.put(id, node(node)));
    return nodes;
  }

  private static Map<String, Object> node(NodeInfo node) {
    return object(
        "name", node.name(),
        "ephemeral_id", node.incarnation(),
        "transport_address", NodeFilter.address(node),
        "attributes", NodeFilter.attributes(node));
  }

  private Map<String, Object> metadata() {
    Map<String, Object> byName = new LinkedHashMap<>();
    indices.forEach(index -> byName.put(index.name(), index(index)));
    return object(
        "cluster_uuid", state.clusterUuid(),
        "cluster_uuid_committed", !state.clusterUuid().equals("_na_"),
        "cluster_coordination",
            object(
                "term", state.leaderTerm(),
                "last_committed_config", coordinators(),
                "last_accepted_config", coordinators(),
                "voting_config_exclusions", List.of()),
        "persistent_settings", settings(state.persistentSettings()),
        "transient_settings", settings(state.transientSettings()),
        "templates", shown(state.templates().legacy(), t -> TemplateJson.of(t, flatSettings)),
        "index_template",
            object(
                "index_template",
                shown(state.templates().composable(), t -> TemplateJson.of(t, flatSettings))),
        "component_template",
            object(
                "component_template",
                shown(state.templates().components(), t -> TemplateJson.of(t, flatSettings))),
        "indices", byName,
        "index-graveyard", object("tombstones", List.of()));
  }

  private static <T> Map<String, Object> shown(
      Map<String, T> templates, Function<T, Map<String, Object>> json) {
    Map<String, Object> shown = new TreeMap<>();
    templates.forEach((name, template) -> shown.put(name, json.apply(template)));
    return shown;
  }

  private List<String> coordinators() {
    return state.nodes().values().stream()
        .filter(node -> node.has(NodeInfo.COORDINATOR))
        .map(NodeInfo::nodeId)
        .toList();
  }

  private Map<String, ?> settings(Map<String, String> settings) {
    return flatSettings ? settings : SettingsTree.nest(settings);
  }

  private Map<String, Object> index(IndexMetadata index) {
    Map<String, Object> terms = new LinkedHashMap<>();
    Map<String, Object> inSync = new LinkedHashMap<>();
    for (ShardRouting shard : index.shards()) {
      String number = Integer.toString(shard.shard().number());
      terms.put(number, shard.primaryTerm());
      inSync.put(
          number,
          shard.writeCopies().stream().filter(state::active).map(CopyRouting::copyId).toList());
    }
    return object(
        "version",
            index.settingsVersion() + index.mappingVersion() + index.access().aliasesVersion(),
        "mapping_version", index.mappingVersion(),
        "settings_version", index.settingsVersion(),
        "aliases_version", index.access().aliasesVersion(),
        "routing_num_shards", RoutingHash.routingShards(index),
        "state", index.closed() ? "close" : "open",
        "settings", settings(index.settings()),
        "mappings", object("_doc", IndexJson.mapping(index)),
        "aliases", List.copyOf(index.aliases().keySet()),
        "primary_terms", terms,
        "in_sync_allocations", inSync,
        "rollover_info", object(),
        "system", false);
  }

  private Map<String, Object> routingTable() {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (IndexMetadata index : indices) {
      Map<String, Object> shards = new LinkedHashMap<>();
      for (ShardRouting shard : index.shards()) {
        shards.put(
            Integer.toString(shard.shard().number()),
            shard.everywhere().stream().map(copy -> copy(index, shard, copy)).toList());
      }
      byName.put(index.name(), object("shards", shards));
    }
    return object("indices", byName);
  }

  private Map<String, Object> routingNodes() {
    List<Object> unassigned = new ArrayList<>();
    Map<String, List<Object>> nodes = new LinkedHashMap<>();
    state.nodes().values().stream()
        .filter(NodeFilter::holdsCopies)
        .forEach(node -> nodes.put(node.nodeId(), new ArrayList<>()));
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.everywhere()) {
          List<Object> there = copy.nodeId() == null ? null : nodes.get(copy.nodeId());
          (there == null ? unassigned : there).add(copy(index, shard, copy));
        }
      }
    }
    return object("unassigned", unassigned, "nodes", nodes);
  }

  private Map<String, Object> copy(IndexMetadata index, ShardRouting shard, CopyRouting copy) {
    boolean member = copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
    Optional<Relocation> leaving = shard.relocationOf(copy.copyId());
    Optional<Relocation> arriving = shard.relocationTo(copy.copyId());
    Map<String, Object> id = object("id", copy.copyId());
    leaving.ifPresent(moving -> id.put("relocation_id", moving.target().copyId()));
    arriving.ifPresent(moving -> id.put("relocation_id", moving.copyId()));
    Map<String, Object> shown =
        object(
            "state",
            member ? state(copy, leaving.isPresent(), arriving.isPresent()) : "UNASSIGNED",
            "primary",
            copy.primary() || isOfPrimary(shard, arriving),
            "searchOnly",
            copy.searchOnly(),
            "node",
            member ? copy.nodeId() : null,
            "relocating_node",
            otherNode(shard, leaving, arriving),
            "shard",
            shard.shard().number(),
            "index",
            index.name(),
            "allocation_id",
            id);
    if (!member) {
      shown.put("unassigned_info", object("reason", UnassignedTimes.reason(copy)));
    }
    return shown;
  }

  /**
   * Returns the state of a copy. The target of a relocation is shown as initializing until it has
   * replaced its source, even if it has started.
   */
  private static String state(CopyRouting copy, boolean leaving, boolean arriving) {
    return leaving ? "RELOCATING" : arriving ? "INITIALIZING" : copy.state().name();
  }

  private static boolean isOfPrimary(ShardRouting shard, Optional<Relocation> arriving) {
    return arriving.filter(r -> r.copyId().equals(shard.primary().copyId())).isPresent();
  }

  private static @Nullable String otherNode(
      ShardRouting shard, Optional<Relocation> leaving, Optional<Relocation> arriving) {
    return leaving
        .map(moving -> moving.target().nodeId())
        .or(() -> arriving.flatMap(r -> shard.copy(r.copyId())).map(CopyRouting::nodeId))
        .orElse(null);
  }
}
