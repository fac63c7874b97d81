package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowParameters;
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

  private final FollowLifecycle followers;
  private final Action action;

  private FollowLifecycleEndpoint(FollowLifecycle followers, Action action) {
    this.followers = followers;
    this.action = action;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(FollowLifecycle followers) {
    return List.of(
        new FollowLifecycleEndpoint(followers, Action.PAUSE),
        new FollowLifecycleEndpoint(followers, Action.RESUME),
        new FollowLifecycleEndpoint(followers, Action.UNFOLLOW));
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_ccr/" + action.path);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    request.time("timeout", Duration.ofSeconds(30));
    FollowParameters parameters =
        action == Action.RESUME ? parameters(request) : FollowParameters.DEFAULTS;
    return responder -> {
      switch (action) {
        case PAUSE -> followers.pause(name, timeout);
        case RESUME -> followers.resume(name, parameters, timeout);
        case UNFOLLOW -> followers.unfollow(name, timeout);
      }
      responder.json(200, Map.of("acknowledged", true));
    };
  }

  private static @Nullable FollowParameters parameters(RestRequest request) {
    Map<String, Object> body = request.hasBody() ? request.bodyAsMap() : Map.of();
    FollowBodies.refuseUnknown("resume_follow", body, Set.of());
    return FollowParameterParser.parse(body);
  }
}
