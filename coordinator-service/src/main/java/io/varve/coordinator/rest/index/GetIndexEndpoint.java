package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.alias.GetAliasEndpoint;
import io.varve.names.Wildcard;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code GET} of an index, of its mapping or of its settings; {@code HEAD} of an index. */
public final class GetIndexEndpoint implements RestEndpoint {

  /** The part of an index that is requested. */
  private enum Part {
    ALL,
    MAPPING,
    SETTINGS
  }

  /**
   * The form in which settings are shown.
   *
   * @param human whether human-readable forms of some values are added
   * @param names comma-separated patterns of setting names; null for all
   */
  private record Look(boolean flat, boolean defaults, boolean human, @Nullable String names) {}

  private final ClusterAccess cluster;
  private final Part part;
  private final List<Route> routes;

  private GetIndexEndpoint(ClusterAccess cluster, Part part, List<Route> routes) {
    this.cluster = cluster;
    this.part = part;
    this.routes = routes;
  }

  /** Returns one endpoint for each part. */
  public static List<GetIndexEndpoint> all(ClusterAccess cluster) {
    return List.of(
        new GetIndexEndpoint(
            cluster, Part.ALL, Route.of(List.of(RestMethod.GET, RestMethod.HEAD), "/{index}")),
        new GetIndexEndpoint(
            cluster,
            Part.MAPPING,
            Route.get("/_mapping", "/_mappings", "/{index}/_mapping", "/{index}/_mappings")),
        new GetIndexEndpoint(
            cluster,
            Part.SETTINGS,
            Route.get(
                "/_settings",
                "/_settings/{name}",
                "/{index}/_settings",
                "/{index}/_settings/{name}")));
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options =
        IndexOptions.of(
            request, part == Part.SETTINGS ? IndexOptions.SHOW_CLOSED : IndexOptions.SHOW);
    Look look =
        new Look(
            request.flag("flat_settings", false),
            request.flag("include_defaults", false),
            request.flag("human", false),
            request.param("name"));
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    return responder -> {
      Map<String, Object> answer = new TreeMap<>();
      for (IndexMetadata index : IndexResolver.resolve(cluster.state(), expression, options)) {
        IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_READ)
            .ifPresent(error -> {
              throw new ApiException(error);
            });
        Map<String, Object> shown = shown(index, look);
        if (!shown.isEmpty()) {
          answer.put(index.name(), shown);
        }
      }
      responder.json(200, answer);
    };
  }

  private Map<String, Object> shown(IndexMetadata index, Look look) {
    Map<String, Object> shown = new LinkedHashMap<>();
    if (part == Part.ALL) {
      shown.put("aliases", GetAliasEndpoint.shown(index.aliases()));
    }
    if (part != Part.SETTINGS) {
      shown.put("mappings", IndexJson.mapping(index));
    }
    if (part != Part.MAPPING) {
      Map<String, String> all =
          look.human() ? IndexJson.readable(index) : IndexJson.settings(index);
      Map<String, String> settings = named(all, look.names());
      if (settings.isEmpty() && !look.defaults()) {
        return Map.of();
      }
      shown.put("settings", IndexJson.shown(settings, look.flat()));
      if (look.defaults()) {
        shown.put(
            "defaults",
            IndexJson.shown(named(IndexJson.defaults(index), look.names()), look.flat()));
      }
    }
    return shown;
  }

  private static Map<String, String> named(Map<String, String> settings, @Nullable String names) {
    if (names == null || names.equals("_all")) {
      return settings;
    }
    Map<String, String> named = new TreeMap<>(settings);
    named
        .keySet()
        .removeIf(
            key -> Stream.of(names.split(",", -1)).noneMatch(name -> Wildcard.matches(name, key)));
    return named;
  }
}
