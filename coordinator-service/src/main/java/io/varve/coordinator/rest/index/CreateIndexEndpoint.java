package io.varve.coordinator.rest.index;

import io.varve.cluster.AliasMetadata;
import io.varve.coordinator.cluster.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DateMathName;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestMethod;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.alias.AliasJson;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code PUT /{index}}. */
public final class CreateIndexEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public CreateIndexEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PUT), "/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = DateMathName.resolve(request.required("index"));
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.time("timeout", Duration.ofSeconds(30));
    String active = request.param("wait_for_active_shards", "1");
    ActiveShardWait.check(active);
    ClusterCommand.CreateIndex change = change(name, request.bodyAsMap());
    return responder -> {
      cluster.change(change, timeout);
      boolean serving = ActiveShardWait.await(cluster, name, active, ackTimeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("acknowledged", true);
      answer.put("shards_acknowledged", serving);
      answer.put("index", name);
      responder.json(200, answer);
    };
  }

  private static ClusterCommand.CreateIndex change(String name, Map<String, Object> body) {
    Map<String, @Nullable String> settings = new TreeMap<>();
    String mapping = "{}";
    Map<String, AliasMetadata> aliases = Map.of();
    for (Map.Entry<String, Object> part : body.entrySet()) {
      switch (part.getKey()) {
        case "settings" -> settings.putAll(SettingsTree.flatten(object(part)));
        case "mappings" -> mapping = text(object(part));
        case "aliases" -> aliases = AliasJson.readAll(object(part));
        default ->
            throw new ApiException(
                400, "parse_exception", "unknown key [" + part.getKey() + "] for create index");
      }
    }
    return new ClusterCommand.CreateIndex(name, settings, mapping, aliases, null);
  }

  private static Map<?, ?> object(Map.Entry<String, Object> part) {
    if (part.getValue() instanceof Map<?, ?> map) {
      return map;
    }
    throw new ApiException(400, "parse_exception", "key [" + part.getKey() + "] must be an object");
  }

  private static String text(Map<?, ?> json) {
    return new String(Json.write(json), StandardCharsets.UTF_8);
  }
}
