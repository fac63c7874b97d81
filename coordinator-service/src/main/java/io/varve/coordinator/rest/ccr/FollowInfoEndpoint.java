package io.varve.coordinator.rest.ccr;

import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ForkPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /{index}/_ccr/info}: the follower indices, their leader indices, and the parameters of
 * those that are not paused; also the promoted indices, with the fork of each shard. A follower
 * that was the leader before shows how many of its operations are in quarantine.
 */
final class FollowInfoEndpoint implements RestEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(FollowInfoEndpoint.class);

  private final ClusterAccess cluster;
  private final FailbackLogs logs;

  FollowInfoEndpoint(ClusterAccess cluster, FailbackLogs logs) {
    this.cluster = cluster;
    this.logs = logs;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/{index}/_ccr/info");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    request.clusterManagerTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW_CLOSED);
    return responder -> {
      List<IndexMetadata> indices =
          List.copyOf(IndexResolver.resolve(cluster.state(), expression, options));
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put(
          "follower_indices",
          indices.stream().filter(index -> index.follow() != null).map(this::follower).toList());
      List<Map<String, Object>> promoted =
          indices.stream()
              .filter(index -> index.fork() != null)
              .map(FollowInfoEndpoint::promoted)
              .toList();
      if (!promoted.isEmpty()) {
        answer.put("promoted_indices", promoted);
      }
      responder.json(200, answer);
    };
  }

  private static Map<String, Object> promoted(IndexMetadata index) {
    Fork fork = Objects.requireNonNull(index.fork());
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("index", index.name());
    shown.put("remote_cluster", fork.remoteCluster());
    shown.put("leader_index", fork.leaderIndex());
    shown.put("leader_index_uuid", fork.leaderUuid());
    List<Map<String, Object>> shards = new ArrayList<>();
    fork.shards().forEach((number, place) -> shards.add(shard(number, place)));
    shown.put("shards", shards);
    return shown;
  }

  private static Map<String, Object> shard(int number, ForkPlace place) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("shard", number);
    shown.put("leader_offset", place.leaderOffset());
    shown.put("leader_primary_term", place.leaderTerm());
    shown.put("seq_no", place.seqNo());
    if (place.leaderDigest() != null) {
      shown.put("leader_digest", place.leaderDigest());
    }
    shown.put("offset", place.offset());
    shown.put("primary_term", place.term());
    return shown;
  }

  private Map<String, Object> follower(IndexMetadata index) {
    FollowRelation follow = Objects.requireNonNull(index.follow());
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("follower_index", index.name());
    shown.put("remote_cluster", follow.remoteCluster());
    shown.put("leader_index", follow.leaderIndex());
    shown.put("status", follow.paused() ? "paused" : "active");
    follow.stopped().ifPresent(reason -> shown.put("stop_reason", reason));
    if (!follow.paused()) {
      shown.put("parameters", follow.effectiveParameters().shown());
    }
    boolean ended = follow.replaces().isEmpty();
    follow.failback().ifPresent(failback -> shown.put("failback", failback(failback, ended)));
    return shown;
  }

  private Map<String, Object> failback(Failback failback, boolean ended) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("former_index_uuid", failback.formerUuid());
    shown.put("quarantine_topic", logs.quarantineTopic(failback.formerUuid()));
    List<Map<String, Object>> shards = new ArrayList<>();
    failback
        .forks()
        .forEach((number, place) -> {
          Map<String, Object> own = new LinkedHashMap<>();
          own.put("shard", number);
          own.put("seq_no", place.seqNo());
          quarantined(new ShardId(failback.formerUuid(), number), ended)
              .ifPresent(count -> own.put("quarantined_operations", count));
          shards.add(own);
        });
    shown.put("shards", shards);
    return shown;
  }

  /** Empty if an operator has deleted the topic, or the log does not answer. */
  private OptionalLong quarantined(ShardId former, boolean ended) {
    try {
      return logs.quarantined(former, ended);
    } catch (LogException e) {
      LOG.debug("the quarantine of {} can't be read", former, e);
      return OptionalLong.empty();
    }
  }
}
