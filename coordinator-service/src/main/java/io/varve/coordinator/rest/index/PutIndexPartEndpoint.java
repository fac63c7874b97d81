package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code PUT} of the mapping or of the settings of indices. */
public final class PutIndexPartEndpoint implements RestEndpoint {

  /** Builds the command from the request and the names that its expression resolved to. */
  private interface Change extends Function<List<String>, ClusterCommand> {}

  private final ClusterAccess cluster;
  private final boolean mapping;

  private PutIndexPartEndpoint(ClusterAccess cluster, boolean mapping) {
    this.cluster = cluster;
    this.mapping = mapping;
  }

  public static PutIndexPartEndpoint ofMappings(ClusterAccess cluster) {
    return new PutIndexPartEndpoint(cluster, true);
  }

  public static PutIndexPartEndpoint ofSettings(ClusterAccess cluster) {
    return new PutIndexPartEndpoint(cluster, false);
  }

  @Override
  public List<Route> routes() {
    return mapping
        ? Route.both(Route.putAndPost("/{index}/_mapping"), Route.putAndPost("/{index}/_mappings"))
        : Route.of(List.of(RestMethod.PUT), "/_settings", "/{index}/_settings");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        mapping
            ? "{\"properties\":{\"pages\":{\"type\":\"integer\"}}}"
            : "{\"index\":{\"number_of_replicas\":1}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.STRICT);
    Change change = mapping ? putMapping(request) : putSettings(request);
    boolean writeIndexAlone = mapping && request.flag("write_index_only", false);
    return responder -> {
      List<String> names =
          writeIndexAlone && expression != null
              ? List.of(writeIndex(expression).name())
              : IndexResolver.resolve(cluster.state(), expression, options).stream()
                  .map(IndexMetadata::name)
                  .toList();
      if (!names.isEmpty()) {
        cluster.change(change.apply(names), timeout);
      }
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  /** Returns the index that receives writes to this name. */
  private IndexMetadata writeIndex(String name) {
    return DocumentTargets.toWrite(cluster.state(), name)
        .map(DocumentTargets.Found::index)
        .orElseThrow(() -> new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias")));
  }

  private static Change putMapping(RestRequest request) {
    String text = new String(request.requiredBody(), StandardCharsets.UTF_8);
    if (request.bodyAsMap().containsKey("_doc")) {
      throw new ApiException(
          ErrorBody.illegalArgument("Types cannot be provided in put mapping requests"));
    }
    return names -> new ClusterCommand.PutMapping(names, text);
  }

  private static Change putSettings(RestRequest request) {
    request.flag("flat_settings", false);
    boolean preserve = request.flag("preserve_existing", false);
    request.requiredBody();
    Map<String, Object> body = request.bodyAsMap();
    Map<String, @Nullable String> changes = new TreeMap<>();
    body.forEach((key, value) -> {
      if (key.equals("settings") && value instanceof Map<?, ?> nested) {
        changes.putAll(SettingsTree.flatten(nested));
      } else {
        changes.putAll(SettingsTree.flatten(Collections.singletonMap(key, value)));
      }
    });
    if (changes.isEmpty()) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: no settings to update;");
    }
    return names -> new ClusterCommand.UpdateIndexSettings(names, changes, preserve);
  }
}
