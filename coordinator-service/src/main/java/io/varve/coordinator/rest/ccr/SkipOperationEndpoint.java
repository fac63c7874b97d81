package io.varve.coordinator.rest.ccr;

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
import io.varve.rpc.PullerStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code POST /{index}/_ccr/skip_operation}: a follower shard that refuses an operation of its
 * leader continues after it. Body: {@code shard} and {@code leader_offset}, the offset of the
 * operation in the leader's log, as {@code refused_operation} of {@code _ccr/stats} shows it.
 *
 * <p>The follower's log gets a delete of the document instead of the operation, so the document is
 * missing on the follower until the leader writes it again. If the offset is not that of the
 * operation that the shard refuses at present, the request is refused with 400.
 */
final class SkipOperationEndpoint implements RestEndpoint {

  private static final Set<String> KEYS = Set.of("shard", "leader_offset");

  private final ClusterAccess cluster;
  private final FollowReports reports;

  SkipOperationEndpoint(ClusterAccess cluster, FollowReports reports) {
    this.cluster = cluster;
    this.reports = reports;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_ccr/skip_operation");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"shard\":0,\"leader_offset\":42}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!KEYS.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[skip_operation] unknown field [" + key + "]");
      }
    }
    int shard = (int) Math.min(Integer.MAX_VALUE, number(body, "shard"));
    long offset = number(body, "leader_offset");
    return responder -> {
      IndexMetadata index = cluster.state().indices().get(name);
      if (index == null) {
        throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
      }
      PullerStats.Refused refused =
          refused(index, shard)
              .filter(found -> found.leaderOffset() == offset)
              .orElseThrow(() -> notRefused(index, shard, offset));
      cluster.change(
          new ClusterCommand.SkipOperation(name, shard, offset, refused.seqNo()), timeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("acknowledged", cluster.awaitAcknowledged(ackTimeout));
      answer.put("shard", shard);
      answer.put("leader_offset", offset);
      answer.put("seq_no", refused.seqNo());
      responder.json(200, answer);
    };
  }

  private static long number(Map<String, Object> body, String key) {
    if (body.get(key) instanceof Number value
        && value.longValue() >= 0
        && value.doubleValue() == value.longValue()) {
      return value.longValue();
    }
    throw new ApiException(
        ErrorBody.illegalArgument(
            "[skip_operation] field ["
                + key
                + "] must be a number >= 0, was ["
                + body.get(key)
                + "]"));
  }

  private Optional<PullerStats.Refused> refused(IndexMetadata index, int shard)
      throws InterruptedException {
    return reports.pullers().stream()
        .filter(puller -> puller.indexUuid().equals(index.uuid()) && puller.shardId() == shard)
        .flatMap(puller -> Optional.ofNullable(puller.refused()).stream())
        .findFirst();
  }

  private ApiException notRefused(IndexMetadata index, int shard, long offset) {
    return new ApiException(
        ErrorBody.illegalArgument(
            ("shard [%d] of [%s] does not refuse the operation at offset [%d] of its leader's log;"
                    + " [_ccr/stats] shows what it refuses as [refused_operation]")
                .formatted(shard, index.name(), offset)));
  }
}
