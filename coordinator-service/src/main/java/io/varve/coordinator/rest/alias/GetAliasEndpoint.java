package io.varve.coordinator.rest.alias;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** {@code GET} and {@code HEAD} of {@code _alias}. */
public final class GetAliasEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public GetAliasEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(RestMethod.GET, RestMethod.HEAD),
        "/_alias",
        "/_aliases",
        "/_alias/{name}",
        "/{index}/_alias",
        "/{index}/_alias/{name}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    boolean named = request.has("name");
    List<String> names = request.list("name");
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW_ALL);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    return responder -> {
      ClusterState state = cluster.state();
      AliasPatterns patterns = new AliasPatterns(names);
      Map<String, Object> found = new TreeMap<>();
      Set<String> shown = new TreeSet<>();
      for (IndexMetadata index : IndexResolver.resolve(state, expression, options)) {
        Map<String, AliasMetadata> aliases = new TreeMap<>(index.aliases());
        aliases.keySet().removeIf(name -> !patterns.include(name));
        shown.addAll(aliases.keySet());
        if (!named || !aliases.isEmpty()) {
          found.put(index.name(), Map.of("aliases", shown(aliases)));
        }
      }
      Set<String> missing = patterns.missing(shown);
      if (missing.isEmpty()) {
        responder.json(200, found);
        return;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put(
          "error",
          (missing.size() == 1 ? "alias [" : "aliases [")
              + String.join(",", missing)
              + "] missing");
      answer.put("status", 404);
      answer.putAll(found);
      responder.json(404, answer);
    };
  }

  /** Returns the aliases by name, in the form of responses. */
  public static Map<String, Object> shown(Map<String, AliasMetadata> aliases) {
    Map<String, Object> shown = new TreeMap<>();
    aliases.forEach((name, alias) -> shown.put(name, AliasJson.of(alias)));
    return shown;
  }
}
