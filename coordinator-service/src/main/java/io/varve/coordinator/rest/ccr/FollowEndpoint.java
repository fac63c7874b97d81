package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.index.ActiveShardWait;
import io.varve.process.Deadline;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code PUT /{index}/_ccr/follow}: creates an index that follows one of another cluster. {@link
 * FollowerIndex} checks the request. The cluster setting {@code cluster.remote.<alias>.seeds} lists
 * the REST addresses of the other cluster's coordinators.
 *
 * <p>With {@code wait_for_active_shards=0}, the default, the response is sent at once, and pulling
 * starts when a node is assigned. Otherwise the response waits for that many copies of each shard
 * and for the node.
 */
public final class FollowEndpoint implements RestEndpoint {

  private static final Set<String> KEYS = Set.of("remote_cluster", "leader_index", "settings");

  private final ClusterAccess cluster;
  private final FollowLifecycle followers;

  FollowEndpoint(ClusterAccess cluster, FollowLifecycle followers) {
    this.cluster = cluster;
    this.followers = followers;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PUT), "/{index}/_ccr/follow");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"remote_cluster\":\"east\",\"leader_index\":\"books\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String follower = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    ActiveShards active = ActiveShards.parse(request.param("wait_for_active_shards", "0"));
    FollowLifecycle.Wanted wanted = wanted(follower, request.bodyAsMap());
    return responder -> {
      followers.follow(wanted, timeout);
      boolean acknowledged = cluster.awaitAcknowledged(ackTimeout);
      boolean acked = false;
      boolean started = false;
      if (acknowledged && !active.equals(ActiveShards.NONE)) {
        Deadline deadline = cluster.deadline(ackTimeout);
        acked = ActiveShardWait.await(cluster, follower, active, deadline.left());
        started = acked && pulled(follower, deadline);
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("follow_index_created", true);
      answer.put("follow_index_shards_acked", acked);
      answer.put("index_following_started", started);
      responder.json(200, answer);
    };
  }

  private boolean pulled(String follower, Deadline deadline) throws InterruptedException {
    return cluster
        .await(
            state -> {
              IndexMetadata index = state.indices().get(follower);
              if (index == null || index.follow() == null) {
                return Optional.of(false);
              }
              return index.follow().nodeId() == null ? Optional.empty() : Optional.of(true);
            },
            deadline)
        .orElse(false);
  }

  private static FollowLifecycle.Wanted wanted(String follower, Map<String, Object> body) {
    FollowBodies.refuseUnknown("follow", body, KEYS);
    return new FollowLifecycle.Wanted(
        follower,
        FollowBodies.text(body, "remote_cluster"),
        FollowBodies.text(body, "leader_index"),
        FollowSettings.read(body),
        FollowParameterParser.parse(body));
  }
}
