package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.control.Membership;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FeatureLevelDecisions;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.FeatureLevels;
import io.varve.events.NodeHeartbeat;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cluster/feature_level}: shows the cluster's feature level and the levels that each node
 * supports. {@code POST} raises the cluster's level to {@code feature_level} in the body, or by
 * default to the highest level that all nodes support.
 *
 * <p>A coordinator that knows of a node without the level refuses the request itself, because the
 * leader may run a release that does not know the command.
 */
public final class FeatureLevelEndpoint implements RestEndpoint {

  private static final String LEVEL = "feature_level";

  private final ClusterAccess cluster;

  public FeatureLevelEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.POST), "/_cluster/feature_level");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"" + LEVEL + "\":" + FeatureLevels.FIRST + "}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    if (request.method() == RestMethod.GET) {
      return responder -> responder.json(200, shown());
    }
    Duration ackTimeout = request.ackTimeout();
    Integer wanted = wanted(request.bodyAsMap());
    ClusterCommand.RaiseFeatureLevel command = new ClusterCommand.RaiseFeatureLevel(wanted);
    return responder -> {
      FeatureLevelDecisions.refusal(cluster.state(), command, supported())
          .ifPresent(error -> {
            throw new ApiException(error);
          });
      cluster.change(command, timeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("acknowledged", cluster.awaitAcknowledged(ackTimeout));
      answer.put(LEVEL, cluster.state().featureLevel());
      responder.json(200, answer);
    };
  }

  private static @Nullable Integer wanted(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!key.equals(LEVEL)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[feature_level] unknown field [" + key + "]");
      }
    }
    return switch (body.get(LEVEL)) {
      case null -> null;
      case Integer level when level >= FeatureLevels.FIRST -> level;
      case Object other ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "[feature_level] must be a whole number >= 1, was [" + other + "]"));
    };
  }

  private Map<String, FeatureLevels> supported() {
    Map<String, FeatureLevels> supported = new TreeMap<>();
    cluster.heartbeats().forEach((id, beat) -> supported.put(id, beat.featureLevels()));
    return supported;
  }

  private Map<String, Object> shown() {
    ClusterState state = cluster.state();
    Map<String, NodeHeartbeat> heartbeats = cluster.heartbeats();
    Map<String, Object> nodes = new LinkedHashMap<>();
    TreeSet<String> ids = new TreeSet<>(state.nodes().keySet());
    cluster.beating().forEach(beat -> ids.add(beat.nodeId()));
    ids.forEach(id -> nodes.put(id, node(state, id, heartbeats.get(id))));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put(LEVEL, state.featureLevel());
    FeatureLevelDecisions.highestCommon(state, supported())
        .ifPresent(level -> answer.put("highest_common", level));
    answer.put("newest", FeatureLevels.NEWEST);
    answer.put("nodes", nodes);
    return answer;
  }

  private static Map<String, Object> node(
      ClusterState state, String id, @Nullable NodeHeartbeat beat) {
    NodeInfo member = state.nodes().get(id);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", member != null ? member.name() : beat == null ? id : beat.name());
    shown.put("member", member != null);
    if (beat != null) {
      shown.put("min", beat.featureLevels().min());
      shown.put("max", beat.featureLevels().max());
      Membership.refusal(state, beat).ifPresent(reason -> shown.put("refused", reason));
    }
    return shown;
  }
}
