package io.varve.coordinator.rest.ccr;

import io.varve.cluster.AutoFollowPattern;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code _plugins/_replication/_autofollow}: puts and deletes a replication rule, which is an
 * auto-follow pattern. As in OpenSearch, a rule also applies to indices that exist already.
 */
final class ReplicationRuleEndpoint implements RestEndpoint {

  private static final Set<String> PUT_KEYS =
      Set.of("leader_alias", "name", "pattern", "settings", "follower_index_pattern");

  private final ClusterAccess cluster;
  private final AutoFollowPatterns patterns;
  private final boolean deletes;

  private ReplicationRuleEndpoint(
      ClusterAccess cluster, AutoFollowPatterns patterns, boolean deletes) {
    this.cluster = cluster;
    this.patterns = patterns;
    this.deletes = deletes;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, AutoFollowPatterns patterns) {
    return List.of(
        new ReplicationRuleEndpoint(cluster, patterns, false),
        new ReplicationRuleEndpoint(cluster, patterns, true));
  }

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(deletes ? RestMethod.DELETE : RestMethod.POST),
        "/_plugins/_replication/_autofollow");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"leader_alias\":\"east\",\"name\":\"logs\""
            + (deletes ? "}" : ",\"pattern\":\"logs-*\"}"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    Map<String, Object> body =
        ReplicationBodies.of(request, deletes ? Set.of("leader_alias", "name") : PUT_KEYS);
    String remote = ReplicationBodies.text(body, "leader_alias");
    String name = ReplicationBodies.text(body, "name");
    if (deletes) {
      return responder -> {
        delete(remote, name, timeout);
        responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
      };
    }
    AutoFollowPatterns.Wanted wanted = wanted(remote, name, body);
    return responder -> {
      refuseOther(remote, name);
      patterns.put(wanted, timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private static AutoFollowPatterns.Wanted wanted(
      String remote, String name, Map<String, Object> body) {
    List<String> problems = AutoFollowPatterns.problemsOf(name);
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    String follower = ReplicationBodies.optionalText(body, "follower_index_pattern");
    if (follower != null && !follower.contains(AutoFollowPattern.LEADER_INDEX)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[follower_index_pattern] must contain " + AutoFollowPattern.LEADER_INDEX));
    }
    return new AutoFollowPatterns.Wanted(
        name,
        new AutoFollowPattern(
            remote,
            List.of(ReplicationBodies.text(body, "pattern")),
            List.of(),
            follower,
            FollowSettings.read(body),
            null,
            true,
            Set.of()),
        true);
  }

  /** OpenSearch identifies a rule by cluster and name; here, the name alone identifies it. */
  private void refuseOther(String remote, String name) {
    AutoFollowPattern present = cluster.state().autoFollow().get(name);
    if (present != null && !present.remoteCluster().equals(remote)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "rule ["
                  + name
                  + "] exists for ["
                  + present.remoteCluster()
                  + "]; use another name for ["
                  + remote
                  + "]"));
    }
  }

  private void delete(String remote, String name, Duration timeout) throws InterruptedException {
    AutoFollowPattern pattern = cluster.state().autoFollow().get(name);
    if (pattern != null && !pattern.remoteCluster().equals(remote)) {
      throw new ApiException(
          404,
          "resource_not_found_exception",
          "auto-follow pattern [" + name + "] of [" + remote + "] is missing");
    }
    patterns.delete(name, timeout);
  }
}
