package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
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
import org.jspecify.annotations.Nullable;

/**
 * {@code _plugins/_replication/{index}/_start}, {@code _stop}, {@code _pause}, {@code _resume} and
 * {@code _update}: manages follower indices with OpenSearch's API. {@code _stop} makes the follower
 * a regular index that accepts writes.
 */
final class ReplicationLifecycleEndpoint implements RestEndpoint {

  /** The action of a request. */
  private enum Action {
    START(RestMethod.PUT, "_start"),
    STOP(RestMethod.POST, "_stop"),
    PAUSE(RestMethod.POST, "_pause"),
    RESUME(RestMethod.POST, "_resume"),
    UPDATE(RestMethod.PUT, "_update");

    private final RestMethod method;
    private final String path;

    Action(RestMethod method, String path) {
      this.method = method;
      this.path = path;
    }

    private Set<String> keys() {
      return switch (this) {
        case START -> Set.of("leader_alias", "leader_index", "settings");
        case UPDATE -> Set.of("settings");
        case STOP, PAUSE, RESUME -> Set.of();
      };
    }
  }

  @FunctionalInterface
  private interface Step {
    void take(Duration timeout) throws InterruptedException;
  }

  private final ClusterAccess cluster;
  private final FollowLifecycle followers;
  private final Action action;

  private ReplicationLifecycleEndpoint(
      ClusterAccess cluster, FollowLifecycle followers, Action action) {
    this.cluster = cluster;
    this.followers = followers;
    this.action = action;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, FollowLifecycle followers) {
    return List.of(
        new ReplicationLifecycleEndpoint(cluster, followers, Action.START),
        new ReplicationLifecycleEndpoint(cluster, followers, Action.STOP),
        new ReplicationLifecycleEndpoint(cluster, followers, Action.PAUSE),
        new ReplicationLifecycleEndpoint(cluster, followers, Action.RESUME),
        new ReplicationLifecycleEndpoint(cluster, followers, Action.UPDATE));
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(action.method), "/_plugins/_replication/{index}/" + action.path);
  }

  @Override
  public RequestExample example() {
    return switch (action) {
      case START -> RequestExample.ofBody("{\"leader_alias\":\"east\",\"leader_index\":\"books\"}");
      case UPDATE -> RequestExample.ofBody("{\"settings\":{\"index.number_of_replicas\":1}}");
      case STOP, PAUSE, RESUME -> RequestExample.NOTHING_NEEDED;
    };
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    Step step = step(request.required("index"), ReplicationBodies.of(request, action.keys()));
    return responder -> {
      step.take(timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private Step step(String name, Map<String, Object> body) {
    return switch (action) {
      case START -> {
        FollowLifecycle.Wanted wanted =
            new FollowLifecycle.Wanted(
                name,
                ReplicationBodies.text(body, "leader_alias"),
                ReplicationBodies.text(body, "leader_index"),
                FollowSettings.read(body),
                null);
        yield timeout -> followers.follow(wanted, timeout);
      }
      case STOP -> timeout -> stop(name, timeout);
      case PAUSE ->
          timeout -> {
            var _ = follow(named(name));
            followers.pause(name, timeout);
          };
      case RESUME ->
          timeout -> {
            FollowRelation follow = follow(named(name));
            followers.resume(name, follow.parameters(), timeout);
          };
      case UPDATE -> {
        Map<String, @Nullable String> settings = FollowSettings.read(body);
        yield timeout -> {
          var _ = follow(named(name));
          cluster.change(
              new ClusterCommand.UpdateIndexSettings(List.of(name), settings, false), timeout);
        };
      }
    };
  }

  private void stop(String name, Duration timeout) throws InterruptedException {
    IndexMetadata index = named(name);
    followers.promote(index, follow(index), timeout);
  }

  private IndexMetadata named(String name) {
    IndexMetadata index = cluster.state().indices().get(name);
    if (index == null) {
      throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
    }
    return index;
  }

  private static FollowRelation follow(IndexMetadata index) {
    FollowRelation follow = index.follow();
    if (follow == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("No replication in progress for index:" + index.name()));
    }
    return follow;
  }
}
