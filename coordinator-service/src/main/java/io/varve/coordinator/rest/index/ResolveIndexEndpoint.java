package io.varve.coordinator.rest.index;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code _resolve/index}: the indices and aliases that an expression resolves to. */
public final class ResolveIndexEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public ResolveIndexEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_resolve/index/{name}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("name");
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW);
    return responder -> {
      ClusterState state = cluster.state();
      Set<String> names = new TreeSet<>(IndexResolver.names(state, expression, options));
      Map<String, List<IndexMetadata>> allAliases = IndexResolver.aliases(state);
      List<Map<String, Object>> indices = new ArrayList<>();
      List<Map<String, Object>> aliases = new ArrayList<>();
      for (String name : names) {
        IndexMetadata index = state.indices().get(name);
        if (index != null) {
          indices.add(index(index));
        } else {
          Map<String, Object> alias = new LinkedHashMap<>();
          alias.put("name", name);
          alias.put(
              "indices",
              allAliases.getOrDefault(name, List.of()).stream().map(IndexMetadata::name).toList());
          aliases.add(alias);
        }
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("indices", indices);
      answer.put("aliases", aliases);
      answer.put("data_streams", List.of());
      responder.json(200, answer);
    };
  }

  private static Map<String, Object> index(IndexMetadata index) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", index.name());
    if (!index.aliases().isEmpty()) {
      shown.put("aliases", List.copyOf(index.aliases().keySet()));
    }
    List<String> attributes = new ArrayList<>(List.of(index.closed() ? "closed" : "open"));
    if (index.hidden()) {
      attributes.add("hidden");
    }
    shown.put("attributes", attributes);
    return shown;
  }
}
