package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowOrigin;
import io.varve.cluster.Fork;
import io.varve.cluster.FormerLog;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForkPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code POST /{index}/_ccr/failback}: a former leader index, which is closed, becomes a follower
 * of the index that followed it and was promoted. Body: {@code remote_cluster} and {@code
 * leader_index}, the promoted index, and the parameters of {@code _ccr/follow}.
 *
 * <p>The response is sent when the failback has begun. For each shard it says whether its own
 * history is kept ({@code "begins_with": "own_log"}) or the promoted index is copied ({@code
 * "leader_segments"}, with the reason). {@code GET /{index}/_ccr/info} shows the number of
 * operations in quarantine. The request is refused if operations of the index would be lost: if its
 * log lacks some that were written after the promotion, or was restored.
 */
final class FailbackEndpoint implements RestEndpoint {

  private static final Set<String> KEYS = Set.of("remote_cluster", "leader_index");

  private final ClusterAccess cluster;
  private final LeaderClusters leaders;
  private static final String PINNED =
      "; if the node of the shard has no commit before the promotion, the promoted index's segments"
          + " are copied";

  private final FailbackLogs logs;

  FailbackEndpoint(ClusterAccess cluster, LeaderClusters leaders, FailbackLogs logs) {
    this.cluster = cluster;
    this.leaders = leaders;
    this.logs = logs;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_ccr/failback");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"remote_cluster\":\"west\",\"leader_index\":\"books\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    Map<String, Object> body = request.bodyAsMap();
    FollowBodies.refuseUnknown("failback", body, KEYS);
    String remote = FollowBodies.text(body, "remote_cluster");
    String promoted = FollowBodies.text(body, "leader_index");
    var parameters = FollowParameterParser.parse(body);
    return responder -> {
      IndexMetadata former = cluster.state().indices().get(name);
      if (former == null) {
        throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
      }
      RemoteCluster.Export export = leaders.export(remote, promoted);
      IndexMetadata leader = export.index();
      Fork fork = fork(former, leader);
      FollowerIndex.refusedLeader(leader)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
      ClusterCommand.Follow follow =
          new ClusterCommand.Follow(
              remote,
              promoted,
              leader.uuid(),
              parameters,
              FollowOrigin.of(export.clusterUuid(), leader));
      List<Map<String, Object>> shards = shards(former, fork);
      cluster.change(
          new ClusterCommand.FailBack(name, follow, leader.settings(), leader.mapping(), fork),
          timeout);
      var _ = cluster.awaitAcknowledged(ackTimeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("failback_started", true);
      answer.put("shards", shards);
      responder.json(200, answer);
    };
  }

  private static Fork fork(IndexMetadata former, IndexMetadata leader) {
    Fork fork = leader.fork();
    if (fork == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "index ["
                  + former.name()
                  + "] cannot fail back, because ["
                  + leader.name()
                  + "] was not promoted"));
    }
    return fork;
  }

  private List<Map<String, Object>> shards(IndexMetadata former, Fork fork) {
    List<Map<String, Object>> shards = new ArrayList<>();
    fork.shards()
        .forEach((number, place) -> {
          if (number < former.numberOfShards()) {
            shards.add(shard(new ShardId(former.uuid(), number), place));
          }
        });
    return shards;
  }

  private Map<String, Object> shard(ShardId former, ForkPlace place) {
    FormerLog.Check check;
    try {
      check = logs.check(former, place);
      logs.lostAfterFork(former, place)
          .ifPresent(reason -> {
            throw refused(former, reason);
          });
    } catch (LogException.Unavailable e) {
      throw new ApiException(
          503, "log_unavailable_exception", former + " can't be read: " + e.getMessage());
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("shard", former.number());
    shown.put("seq_no", place.seqNo());
    switch (check) {
      case FormerLog.Check.Whole _ -> shown.put("begins_with", "own_log");
      case FormerLog.Check.Incomplete(String reason, boolean hasFork) -> {
        shown.put("begins_with", hasFork ? "own_commit" : "leader_segments");
        shown.put("reason", hasFork ? reason + PINNED : reason);
      }
      case FormerLog.Check.Diverged(String reason) ->
          throw refused(former, "its log is not the one that the follower pulled: " + reason);
    }
    return shown;
  }

  private static ApiException refused(ShardId former, String reason) {
    return new ApiException(
        ErrorBody.illegalArgument("shard [" + former.number() + "] cannot fail back: " + reason));
  }
}
