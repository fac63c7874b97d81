package io.varve.coordinator.rest.mapping;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.names.Wildcard;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code GET _mapping/field/…}: the mappings of individual fields. */
public final class FieldMappingEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public FieldMappingEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_mapping/field/{fields}", "/{index}/_mapping/field/{fields}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    List<String> patterns = request.list("fields");
    boolean defaults = request.flag("include_defaults", false);
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    return responder -> {
      Map<String, Object> answer = new TreeMap<>();
      for (IndexMetadata index : IndexResolver.resolve(cluster.state(), expression, options)) {
        Mapping mapping = Mapping.parse(index.mapping(), MappingRules.of(index.settings()));
        answer.put(index.name(), Map.of("mappings", fields(mapping, patterns, defaults)));
      }
      responder.json(200, answer);
    };
  }

  private static Map<String, Object> fields(
      Mapping mapping, List<String> patterns, boolean defaults) {
    Map<String, Object> fields = new TreeMap<>();
    mapping.leaves().values().forEach(field -> put(field, patterns, defaults, fields));
    mapping
        .aliases()
        .forEach((name, target) ->
            put(new FieldMapping.AliasField(name, target), patterns, defaults, fields));
    return fields;
  }

  private static void put(
      FieldMapping field, List<String> patterns, boolean defaults, Map<String, Object> into) {
    String path = field.path();
    if (patterns.stream().noneMatch(pattern -> Wildcard.matches(pattern, path))) {
      return;
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("full_name", path);
    shown.put(
        "mapping", Map.of(path.substring(path.lastIndexOf('.') + 1), field.definition(defaults)));
    into.put(path, shown);
  }
}
