package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.client.routing.CopySelector;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.names.Wildcard;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.search.SearchRequest;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code _search_shards}: the shards and copies that a search would use, in the order of use. */
final class SearchShardsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopySelector selector;

  SearchShardsEndpoint(ClusterAccess cluster, CopySelector selector) {
    this.cluster = cluster;
    this.selector = selector;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_search_shards", "/{index}/_search_shards");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    SearchOptions.Where where =
        new SearchOptions.Where(
            request.param("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    Slice slice = SearchRequest.parse(request.body(), Map.of()).scope().slice();
    return responder -> responder.json(200, answer(where, slice));
  }

  private Map<String, Object> answer(SearchOptions.Where where, @Nullable Slice slice) {
    ClusterState state = cluster.state();
    List<SearchIndex> indices = SearchTargets.indices(state, where);
    List<Target> targets = SearchTargets.of(indices, where.preference(), slice);
    Map<String, Object> nodes = new TreeMap<>();
    List<List<Map<String, Object>>> shards = new ArrayList<>();
    for (Target target : targets) {
      List<CopyAddress> copies =
          selector.order(searched(state, target, where.preference()), where.preference().copies());
      copies.forEach(copy -> nodes.putIfAbsent(copy.node().nodeId(), node(copy.node())));
      shards.add(copies.stream().map(copy -> copy(target, copy)).toList());
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    indices.forEach(index -> shown.put(index.index().name(), index(index, where.expression())));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("nodes", nodes);
    answer.put("indices", shown);
    answer.put("shards", shards);
    return answer;
  }

  private static List<CopyAddress> searched(
      ClusterState state, Target target, ShardPreference preference) {
    List<CopyAddress> started = CopyAddress.started(state, target.shard());
    return preference.copies() == null
        ? SearchReplicas.searched(state, target.index(), started)
        : started;
  }

  private static Map<String, Object> node(NodeInfo node) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", node.name());
    shown.put("ephemeral_id", node.incarnation());
    shown.put("transport_address", NodeFilter.address(node));
    shown.put("attributes", Map.of());
    return shown;
  }

  private static Map<String, Object> copy(Target target, CopyAddress copy) {
    Map<String, Object> shown = new LinkedHashMap<>();
    Optional<Relocation> moving = target.shard().relocationOf(copy.copy().copyId());
    shown.put("state", moving.isPresent() ? "RELOCATING" : "STARTED");
    shown.put("primary", copy.copy().primary());
    shown.put("node", copy.node().nodeId());
    shown.put("relocating_node", moving.map(r -> r.target().nodeId()).orElse(null));
    shown.put("shard", target.number());
    shown.put("index", target.index().name());
    shown.put("allocation_id", Map.of("id", copy.copy().copyId()));
    return shown;
  }

  private static Map<String, Object> index(SearchIndex found, @Nullable String expression) {
    Map<String, Object> shown = new LinkedHashMap<>();
    List<String> aliases = aliases(found.index(), expression);
    if (!aliases.isEmpty()) {
      shown.put("aliases", aliases);
    }
    if (!found.filters().isEmpty()) {
      shown.put("filter", FilterJson.of(found.filters()));
    }
    return shown;
  }

  /** Returns the aliases of the index that the expression names. */
  private static List<String> aliases(IndexMetadata index, @Nullable String expression) {
    if (expression == null) {
      return List.of();
    }
    List<String> parts = Arrays.asList(expression.split(",", -1));
    return index.aliases().keySet().stream()
        .filter(alias -> parts.stream().anyMatch(part -> Wildcard.matches(part, alias)))
        .sorted()
        .toList();
  }
}
