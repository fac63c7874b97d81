package io.varve.coordinator.rest.ccr;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code _ccr/auto_follow}: puts, shows, deletes, pauses and resumes auto-follow patterns. */
final class AutoFollowEndpoint implements RestEndpoint {

  private static final String PATH = "/_ccr/auto_follow/{name}";

  /** The action of a request. */
  private enum Action {
    PUT,
    GET,
    DELETE,
    PAUSE,
    RESUME
  }

  private final ClusterAccess cluster;
  private final AutoFollowPatterns patterns;
  private final Action action;

  private AutoFollowEndpoint(ClusterAccess cluster, AutoFollowPatterns patterns, Action action) {
    this.cluster = cluster;
    this.patterns = patterns;
    this.action = action;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, AutoFollowPatterns patterns) {
    return List.of(
        new AutoFollowEndpoint(cluster, patterns, Action.PUT),
        new AutoFollowEndpoint(cluster, patterns, Action.GET),
        new AutoFollowEndpoint(cluster, patterns, Action.DELETE),
        new AutoFollowEndpoint(cluster, patterns, Action.PAUSE),
        new AutoFollowEndpoint(cluster, patterns, Action.RESUME));
  }

  @Override
  public List<Route> routes() {
    return switch (action) {
      case PUT -> Route.of(List.of(RestMethod.PUT), PATH);
      case GET -> Route.get("/_ccr/auto_follow", PATH);
      case DELETE -> Route.of(List.of(RestMethod.DELETE), PATH);
      case PAUSE -> Route.of(List.of(RestMethod.POST), PATH + "/pause");
      case RESUME -> Route.of(List.of(RestMethod.POST), PATH + "/resume");
    };
  }

  @Override
  public RequestExample example() {
    return action == Action.PUT
        ? RequestExample.ofBody(
            "{\"remote_cluster\":\"east\",\"leader_index_patterns\":[\"logs-*\"]}")
        : RequestExample.NOTHING_NEEDED;
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    if (action == Action.GET) {
      String name = request.param("name");
      return responder -> responder.json(200, patterns.shown(name));
    }
    String name = request.required("name");
    Duration ackTimeout = request.ackTimeout();
    Change change = change(name, request);
    return responder -> {
      change.make(timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  @FunctionalInterface
  private interface Change {
    void make(Duration timeout) throws InterruptedException;
  }

  private Change change(String name, RestRequest request) {
    return switch (action) {
      case PUT -> {
        AutoFollowPatterns.Wanted wanted = AutoFollowPatterns.read(name, request);
        yield timeout -> patterns.put(wanted, timeout);
      }
      case DELETE -> timeout -> patterns.delete(name, timeout);
      case PAUSE -> timeout -> patterns.activate(name, false, timeout);
      case RESUME -> timeout -> patterns.activate(name, true, timeout);
      case GET -> throw new IllegalStateException("a GET changes nothing");
    };
  }
}
