package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /{index}/_ccr/pause_follow}, {@code resume_follow} and {@code unfollow}.
 *
 * <p>Unfollowing removes the leases on the leader index afterwards. If that fails, the index is
 * unfollowed nevertheless: the error names the leader index, and {@code forget_follower} removes
 * the leases there; else they expire.
 */
final class FollowLifecycleEndpoint implements RestEndpoint {

  /** What is asked for. */
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
  private final LeaderClusters leaders;
  private final Action action;

  private FollowLifecycleEndpoint(ClusterAccess cluster, LeaderClusters leaders, Action action) {
    this.cluster = cluster;
    this.leaders = leaders;
    this.action = action;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, LeaderClusters leaders) {
    return List.of(
        new FollowLifecycleEndpoint(cluster, leaders, Action.PAUSE),
        new FollowLifecycleEndpoint(cluster, leaders, Action.RESUME),
        new FollowLifecycleEndpoint(cluster, leaders, Action.UNFOLLOW));
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
        case PAUSE -> cluster.change(new ClusterCommand.PauseFollow(name), timeout);
        case RESUME -> resume(name, parameters, timeout);
        case UNFOLLOW -> unfollow(name, timeout);
      }
      responder.json(200, Map.of("acknowledged", true));
    };
  }

  private static @Nullable FollowParameters parameters(RestRequest request) {
    Map<String, Object> body = request.hasBody() ? request.bodyAsMap() : Map.of();
    for (String key : body.keySet()) {
      if (!FollowParameterParser.NAMES.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[resume_follow] unknown field [" + key + "]");
      }
    }
    return FollowParameterParser.parse(body);
  }

  /** The leader is asked first; the decision checks the follower. */
  private void resume(String name, @Nullable FollowParameters parameters, Duration timeout)
      throws InterruptedException {
    IndexMetadata follower = cluster.state().indices().get(name);
    IndexMetadata.Follow follow = follower == null ? null : follower.follow();
    if (follower != null && follow != null && follow.paused()) {
      IndexMetadata leader = leaders.export(follow.remoteCluster(), follow.leaderIndex()).index();
      FollowerIndex.refusalToResume(follower, follow, leader)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
    cluster.change(new ClusterCommand.ResumeFollow(name, parameters), timeout);
  }

  private void unfollow(String name, Duration timeout) throws InterruptedException {
    IndexMetadata follower = cluster.state().indices().get(name);
    cluster.change(new ClusterCommand.Unfollow(name), timeout);
    if (follower != null && follower.follow() != null) {
      removeLeases(follower, follower.follow());
    }
  }

  private void removeLeases(IndexMetadata follower, IndexMetadata.Follow follow)
      throws InterruptedException {
    try {
      leaders.forget(
          follow.remoteCluster(),
          follow.leaderIndex(),
          new RemoteCluster.Follower(
              cluster.state().clusterName(),
              follower.name(),
              follower.uuid(),
              follow.remoteCluster()));
    } catch (ApiException e) {
      throw new ApiException(
          ErrorBody.of(
                  e.error().status() == 404 ? 404 : 503,
                  "exception",
                  "index ["
                      + follower.name()
                      + "] is unfollowed, but its retention leases on ["
                      + follow.leaderIndex()
                      + "] in ["
                      + follow.remoteCluster()
                      + "] could not be removed")
              .with("failed_to_remove_retention_leases", follow.leaderIndex())
              .causedBy(e.error()));
    }
  }
}
