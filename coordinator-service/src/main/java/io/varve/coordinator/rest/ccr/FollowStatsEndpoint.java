package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code _ccr/stats}: progress of the following shards, as their pullers report it. */
public final class FollowStatsEndpoint implements RestEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(FollowStatsEndpoint.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ClusterAccess cluster;
  private final HttpClient http;
  private final Parallel parallel;

  public FollowStatsEndpoint(ClusterAccess cluster, HttpClient http, Parallel parallel) {
    this.cluster = cluster;
    this.http = http;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_ccr/stats", "/{index}/_ccr/stats");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    request.time("timeout", Duration.ofSeconds(30));
    request.clusterManagerTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    return responder -> {
      List<IndexMetadata> followers =
          IndexResolver.resolve(cluster.state(), expression, options).stream()
              .filter(index -> index.follow() != null)
              .toList();
      Map<String, Object> indices = Map.of("indices", indices(followers, pullers()));
      if (expression != null) {
        responder.json(200, indices);
        return;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("follow_stats", indices);
      responder.json(200, answer);
    };
  }

  private List<PullerStats> pullers() throws InterruptedException {
    List<NodeInfo> nodes =
        cluster.state().nodes().values().stream().filter(node -> node.has(NodeInfo.CCR)).toList();
    return parallel.map(nodes, this::ask).stream().flatMap(List::stream).toList();
  }

  private List<PullerStats> ask(NodeInfo node) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + "/_internal/ccr/stats"))
            .timeout(TIMEOUT)
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? List.of(Json.read(response.body(), PullerStats[].class))
          : List.of();
    } catch (IOException | MalformedRecordException e) {
      LOG.debug("node {} did not report its pullers", node.name(), e);
      return List.of();
    }
  }

  private static List<Map<String, Object>> indices(
      List<IndexMetadata> followers, List<PullerStats> pullers) {
    List<Map<String, Object>> indices = new ArrayList<>();
    for (IndexMetadata follower : followers) {
      List<PullerStats> own =
          pullers.stream().filter(p -> p.indexUuid().equals(follower.uuid())).toList();
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("index", follower.name());
      row.put(
          "total_global_checkpoint_lag",
          own.stream()
              .mapToLong(p -> p.leaderGlobalCheckpoint() - p.followerGlobalCheckpoint())
              .sum());
      row.put("shards", own.stream().map(p -> shard(follower, p)).toList());
      indices.add(row);
    }
    return indices;
  }

  private static Map<String, Object> shard(IndexMetadata follower, PullerStats puller) {
    IndexMetadata.Follow follow = follower.follow();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("remote_cluster", follow == null ? "" : follow.remoteCluster());
    row.put("leader_index", follow == null ? "" : follow.leaderIndex());
    row.put("follower_index", follower.name());
    row.put("shard_id", puller.shardId());
    row.put("leader_global_checkpoint", puller.leaderGlobalCheckpoint());
    row.put("leader_max_seq_no", puller.leaderMaxSeqNo());
    row.put("follower_global_checkpoint", puller.followerGlobalCheckpoint());
    row.put("follower_max_seq_no", puller.followerMaxSeqNo());
    row.put("last_requested_seq_no", puller.lastRequestedSeqNo());
    row.put("follower_mapping_version", puller.followerMappingVersion());
    row.put("successful_read_requests", puller.successfulReadRequests());
    row.put("operations_read", puller.operationsRead());
    row.put("bytes_read", puller.bytesRead());
    row.put("successful_write_requests", puller.successfulWriteRequests());
    row.put("failed_write_requests", puller.failedWriteRequests());
    row.put("operations_written", puller.operationsWritten());
    row.put("read_exceptions", List.of());
    row.put("time_since_last_read_millis", puller.timeSinceLastReadMillis());
    row.put("state", puller.state());
    row.put("lag_millis", puller.lagMillis());
    row.put("leader_log_end_offset", puller.leaderLogEndOffset());
    row.put("leader_read_offset", puller.leaderReadOffset());
    row.put("last_error", puller.lastError());
    return row;
  }
}
