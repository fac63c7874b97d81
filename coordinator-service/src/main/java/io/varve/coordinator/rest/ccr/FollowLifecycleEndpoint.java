package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /{index}/_ccr/pause_follow}, {@code resume_follow} and {@code unfollow}.
 *
 * <p>Unfollowing removes the leases on the leader index afterwards. If the removal fails, the index
 * remains unfollowed. The error names the leader index; the leases can be removed with {@code
 * forget_follower} there, or they expire.
 */
final class FollowLifecycleEndpoint implements RestEndpoint {

  /** The action of a request. */
  private enum Action {
    PAUSE("pause_follow"),
    RESUME("resume_follow"),
    UNFOLLOW("unfollow");

    private final String path;

    Action(String path) {
      this.path = path;
    }
  }

  private final ClusterAccess cluster;
  private final FollowLifecycle followers;
  private final Action action;

  private FollowLifecycleEndpoint(ClusterAccess cluster, FollowLifecycle followers, Action action) {
    this.cluster = cluster;
    this.followers = followers;
    this.action = action;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, FollowLifecycle followers) {
    return List.of(
        new FollowLifecycleEndpoint(cluster, followers, Action.PAUSE),
        new FollowLifecycleEndpoint(cluster, followers, Action.RESUME),
        new FollowLifecycleEndpoint(cluster, followers, Action.UNFOLLOW));
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_ccr/" + action.path);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    FollowParameters parameters =
        action == Action.RESUME ? parameters(request) : FollowParameters.DEFAULTS;
    return responder -> {
      switch (action) {
        case PAUSE -> followers.pause(name, timeout);
        case RESUME -> followers.resume(name, parameters, timeout);
        case UNFOLLOW -> followers.unfollow(name, timeout);
      }
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private static @Nullable FollowParameters parameters(RestRequest request) {
    Map<String, Object> body = request.hasBody() ? request.bodyAsMap() : Map.of();
    FollowBodies.refuseUnknown("resume_follow", body, Set.of());
    return FollowParameterParser.parse(body);
  }
}
