package io.varve.coordinator.rest.ccr;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
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
import io.varve.rpc.ShardLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /{index}/_ccr/forget_follower}, sent to the cluster of the leader index: removes the
 * leases of a follower index, so that the log retains nothing for it. It is meant for followers
 * that were unfollowed or deleted while this cluster did not answer; an index that is still a
 * follower adds its lease again.
 *
 * <p>A recorded lease covers all shards and is ended by a command. Leases that followers write
 * themselves are known to the primaries, and are removed shard by shard. A lease belongs to the
 * follower whose index uuid its holder ends with; the other fields of the request are only
 * validated.
 */
final class ForgetFollowerEndpoint implements RestEndpoint {

  private static final List<String> FIELDS =
      List.of("follower_cluster", "follower_index", "follower_index_uuid", "leader_remote_cluster");

  private final ClusterAccess cluster;
  private final CopyReader copies;
  private final LeaseRemoval removal;

  ForgetFollowerEndpoint(ClusterAccess cluster, CopyReader copies, LeaseRemoval removal) {
    this.cluster = cluster;
    this.copies = copies;
    this.removal = removal;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_ccr/forget_follower");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"follower_cluster\":\"west\",\"follower_index\":\"books\","
            + "\"follower_index_uuid\":\"vYpnaWPRQB6mNspmoCeYyA\",\"leader_remote_cluster\":\"east\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    String uuid = followerUuid(request.bodyAsMap());
    return responder -> {
      ClusterState state = cluster.state();
      IndexMetadata leader = state.indices().get(name);
      if (leader == null) {
        throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
      }
      if (endRecorded(leader, uuid, timeout)) {
        responder.json(200, answer(leader.numberOfShards(), List.of()));
        return;
      }
      Map<ShardId, CopyReader.Answer<ShardLeases>> answers = new HashMap<>();
      copies
          .leases(state, List.of(leader))
          .forEach(answer -> answers.put(answer.copy().shard(), answer));
      List<Map<String, Object>> failures = new ArrayList<>();
      for (ShardRouting routing : leader.shards()) {
        ShardId shard = routing.shard();
        failure(shard, answers.get(shard), uuid)
            .ifPresent(error -> failures.add(failed(leader.name(), shard, error)));
      }
      responder.json(200, answer(leader.numberOfShards(), failures));
    };
  }

  /** Returns whether there was a recorded lease. */
  private boolean endRecorded(IndexMetadata leader, String uuid, Duration timeout)
      throws InterruptedException {
    List<String> holders =
        leader.leases().entrySet().stream()
            .filter(entry -> entry.getValue().isActive() && entry.getKey().endsWith("-" + uuid))
            .map(Map.Entry::getKey)
            .toList();
    if (holders.isEmpty()) {
      return false;
    }
    cluster.change(new ClusterCommand.EndLeases(leader.uuid(), holders), timeout);
    return true;
  }

  private static String followerUuid(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!FIELDS.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[forget_follower] unknown field [" + key + "]");
      }
    }
    List<String> missing =
        FIELDS.stream()
            .filter(field -> !(body.get(field) instanceof String text) || text.isEmpty())
            .toList();
    if (!missing.isEmpty()) {
      throw new ApiException(ErrorBody.illegalArgument("Required " + missing));
    }
    return String.valueOf(body.get("follower_index_uuid"));
  }

  private Optional<ErrorBody> failure(
      ShardId shard, CopyReader.@Nullable Answer<ShardLeases> answer, String uuid)
      throws InterruptedException {
    if (answer == null) {
      return Optional.of(
          ErrorBody.of(
              503, "no_shard_available_action_exception", "no active primary of " + shard));
    }
    ShardLeases leases = answer.reported();
    if (leases == null) {
      return Optional.ofNullable(answer.failure());
    }
    List<String> holders =
        leases.leases().stream()
            .map(ShardLeases.Lease::holder)
            .filter(holder -> holder.endsWith("-" + uuid))
            .toList();
    if (holders.isEmpty()) {
      return Optional.of(
          ErrorBody.of(
              404,
              RemoteCluster.NO_LEASE,
              "retention lease of follower index [" + uuid + "] not found on " + shard));
    }
    try {
      for (String holder : holders) {
        removal.remove(shard, holder);
      }
      return Optional.empty();
    } catch (LogException e) {
      return Optional.of(
          ErrorBody.of(503, "log_unavailable_exception", String.valueOf(e.getMessage())));
    }
  }

  private static Map<String, Object> failed(String index, ShardId shard, ErrorBody error) {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("shard", shard.number());
    failure.put("index", index);
    failure.put("reason", error.toMap());
    return failure;
  }

  private static Map<String, Object> answer(int shards, List<Map<String, Object>> failures) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", shards);
    counts.put("successful", shards - failures.size());
    counts.put("failed", failures.size());
    if (!failures.isEmpty()) {
      counts.put("failures", failures);
    }
    return Map.of("_shards", counts);
  }
}
