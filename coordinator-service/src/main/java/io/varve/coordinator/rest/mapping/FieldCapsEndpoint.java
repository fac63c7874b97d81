package io.varve.coordinator.rest.mapping;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.search.Counter;
import io.varve.events.Json;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _field_caps}: the types of fields across indices, and whether they can be searched and
 * aggregated. With {@code index_filter}, only indices with a matching document are considered.
 */
public final class FieldCapsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final Counter counter;

  public FieldCapsEndpoint(ClusterAccess cluster, Counter counter) {
    this.cluster = cluster;
    this.counter = counter;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_field_caps", "/{index}/_field_caps");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofParameters(Map.of("fields", "*"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    boolean unmapped = request.flag("include_unmapped", false);
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    Map<String, Object> body = request.bodyAsMap();
    List<String> fields = new ArrayList<>(request.list("fields"));
    if (body.get("fields") instanceof List<?> more) {
      more.forEach(field -> fields.add(String.valueOf(field)));
    }
    if (fields.isEmpty()) {
      throw new ApiException(
          400, "action_request_validation_exception", "Validation Failed: 1: no fields specified;");
    }
    SearchRequest filter = filter(body);
    return responder -> {
      FieldCapabilities capabilities = new FieldCapabilities(fields);
      for (IndexMetadata index : IndexResolver.resolve(cluster.state(), expression, options)) {
        if (filter == null || counter.hasAny(index, filter)) {
          capabilities.add(
              index.name(), Mapping.parse(index.mapping(), MappingRules.of(index.settings())));
        }
      }
      responder.json(200, capabilities.answer(unmapped));
    };
  }

  private static @Nullable SearchRequest filter(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!key.equals("index_filter") && !key.equals("fields")) {
        throw new ApiException(
            ErrorBody.of(
                400,
                "x_content_parse_exception",
                "[field_caps_request] unknown field [" + key + "]"));
      }
    }
    Object filter = body.get("index_filter");
    return filter == null
        ? null
        : SearchRequest.parse(
            Json.write(Map.of("query", filter)),
            Map.of("size", "0", "terminate_after", "1", "track_total_hits", "true"));
  }
}
