package io.varve.coordinator.rest.index;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Deadline;
import io.varve.process.Parallel;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /{index}/_scale}: makes an index search-only, or writable again.
 *
 * <pre>
 *   down:  block writes -> each primary publishes and uploads all -> each serving search-only
 *          copy shows it -> the writers are removed
 *   up:    lift the block; primaries are assigned, recover from the segment store, and continue with
 *          the next term and seq_no
 * </pre>
 *
 * If a shard fails while scaling down, the block is removed again.
 */
public final class ScaleEndpoint implements RestEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(ScaleEndpoint.class);
  private static final String FIELD = "search_only";

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;

  public ScaleEndpoint(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_scale");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"search_only\": true}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    Duration patience = request.clusterManagerTimeout();
    Duration timeout = request.time("timeout", Duration.ofSeconds(60));
    boolean searchOnly = searchOnly(request);
    return responder -> {
      String uuid = index(cluster.state(), name).uuid();
      if (searchOnly) {
        release(uuid, patience, timeout);
      } else {
        cluster.change(new ClusterCommand.RecallWriters(uuid, 0), patience);
      }
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(timeout)));
    };
  }

  private static boolean searchOnly(RestRequest request) {
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!key.equals(FIELD)) {
        throw illegalArgument("Unknown parameter [" + key + "]. Only [" + FIELD + "] is allowed.");
      }
    }
    if (!body.containsKey(FIELD)) {
      throw illegalArgument("Parameter [" + FIELD + "] is required");
    }
    if (body.get(FIELD) instanceof Boolean value) {
      return value;
    }
    throw illegalArgument("Parameter [" + FIELD + "] must be a boolean (true or false)");
  }

  private static ApiException illegalArgument(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  private static IndexMetadata index(ClusterState state, String name) {
    IndexMetadata index = state.indices().get(name);
    if (index == null) {
      throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
    }
    if (index.closed()) {
      throw new ApiException(IndexBlocks.closed(index));
    }
    return index;
  }

  private void release(String uuid, Duration patience, Duration timeout)
      throws InterruptedException {
    cluster.change(new ClusterCommand.BlockWriters(uuid), patience);
    ClusterState blocked = cluster.state();
    IndexMetadata index =
        blocked
            .index(uuid)
            .orElseThrow(() -> new ApiException(ErrorBodies.indexNotFound(uuid, "index_uuid")));
    List<String> failures = sync(blocked, index, timeout);
    if (!failures.isEmpty()) {
      liftBlock(index, patience);
      throw new ApiException(
          503,
          "illegal_state_exception",
          "Pre-scale sync failed for shards of index ["
              + index.name()
              + "], it stays writable: "
              + String.join("; ", failures));
    }
    cluster.change(new ClusterCommand.ReleaseWriters(uuid, index.settingsVersion()), patience);
  }

  private void liftBlock(IndexMetadata index, Duration patience) throws InterruptedException {
    try {
      cluster.change(
          new ClusterCommand.RecallWriters(index.uuid(), index.settingsVersion()), patience);
    } catch (ApiException e) {
      LOG.warn(
          "[{}] could not lift the write block after a failed _scale; repeat _scale to lift it: {}",
          index.name(),
          e.getMessage());
    }
  }

  /** Returns why shards still need their writers; empty if none does. */
  private List<String> sync(ClusterState state, IndexMetadata index, Duration timeout)
      throws InterruptedException {
    Deadline deadline = cluster.deadline(timeout);
    return parallel.map(index.shards(), shard -> failure(state, index, shard, deadline)).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> failure(
      ClusterState state, IndexMetadata index, ShardRouting shard, Deadline deadline)
      throws InterruptedException {
    try {
      sync(state, shard, deadline);
      return Optional.empty();
    } catch (ApiException | UnreachableException e) {
      return Optional.of(
          "[" + index.name() + "][" + shard.shard().number() + "] " + e.getMessage());
    }
  }

  private void sync(ClusterState state, ShardRouting shard, Deadline deadline)
      throws InterruptedException {
    List<CopyAddress> started = CopyAddress.started(state, shard);
    List<CopyAddress> searching =
        started.stream().filter(copy -> copy.copy().searchOnly()).toList();
    if (started.isEmpty() || !started.getFirst().copy().primary()) {
      throw unavailable("primary shard is not active");
    }
    if (searching.isEmpty()) {
      throw unavailable("no search replica is active");
    }
    long seqNo = client.seal(started.getFirst(), state.version(), left(deadline));
    for (CopyAddress copy : searching) {
      client.awaitVisible(copy, seqNo, true, left(deadline));
    }
  }

  private static ApiException unavailable(String reason) {
    return new ApiException(503, "unavailable_shards_exception", reason);
  }

  private static Duration left(Deadline deadline) {
    return deadline.isOver() ? Duration.ofNanos(1) : deadline.left();
  }
}
