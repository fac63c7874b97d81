package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code _cluster/settings}. */
public final class ClusterSettingsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public ClusterSettingsEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.PUT), "/_cluster/settings");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"persistent\":{\"cluster.remote.east.seeds\":null}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean flat = request.flag("flat_settings", false);
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    if (request.method() == RestMethod.PUT) {
      return put(request, flat, timeout, ackTimeout);
    }
    boolean defaults = request.flag("include_defaults", false);
    request.flag("local", false);
    return responder -> get(responder, flat, defaults);
  }

  private void get(RestResponder responder, boolean flat, boolean defaults) {
    ClusterState state = cluster.state();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("persistent", shown(state.persistentSettings(), flat));
    answer.put("transient", shown(state.transientSettings(), flat));
    if (defaults) {
      Map<String, String> rest = new TreeMap<>(ClusterSettings.defaults());
      NodeInfo local = state.nodes().get(cluster.localNodeId());
      if (local != null) {
        rest.putAll(NodesEndpoint.settings(state.clusterName(), local));
      }
      rest.keySet().removeAll(state.persistentSettings().keySet());
      rest.keySet().removeAll(state.transientSettings().keySet());
      answer.put("defaults", shown(rest, flat));
    }
    responder.json(200, answer);
  }

  private RestAction put(RestRequest request, boolean flat, Duration timeout, Duration ackTimeout) {
    request.requiredBody();
    Map<String, Object> body = request.bodyAsMap();
    Map<String, @Nullable String> persistent = scope(body, "persistent");
    Map<String, @Nullable String> volatileChanges = scope(body, "transient");
    for (String key : body.keySet()) {
      if (!key.equals("persistent") && !key.equals("transient")) {
        throw new ApiException(
            400,
            "x_content_parse_exception",
            "[cluster_update_settings_request] unknown field [" + key + "]");
      }
    }
    if (persistent.isEmpty() && volatileChanges.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("no settings to update")));
    }
    return responder -> {
      cluster.change(
          new ClusterCommand.UpdateClusterSettings(persistent, volatileChanges), timeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("acknowledged", cluster.awaitAcknowledged(ackTimeout));
      answer.put("persistent", shown(set(persistent), flat));
      answer.put("transient", shown(set(volatileChanges), flat));
      responder.json(200, answer);
    };
  }

  private static Map<String, @Nullable String> scope(Map<String, Object> body, String name) {
    return switch (body.get(name)) {
      case null -> Map.of();
      case Map<?, ?> settings -> SettingsTree.flatten(settings);
      case Object other ->
          throw new ApiException(
              400,
              "x_content_parse_exception",
              "[cluster_update_settings_request] "
                  + name
                  + " doesn't support values of type: "
                  + other.getClass().getSimpleName());
    };
  }

  private static Map<String, String> set(Map<String, @Nullable String> changes) {
    Map<String, String> set = new TreeMap<>();
    changes.forEach((name, value) -> {
      if (value != null) {
        set.put(name, value);
      }
    });
    return set;
  }

  private static Map<String, ?> shown(Map<String, String> settings, boolean flat) {
    return flat ? new TreeMap<>(settings) : SettingsTree.nest(settings);
  }
}
