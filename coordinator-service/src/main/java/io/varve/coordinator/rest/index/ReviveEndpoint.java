package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Revival;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.process.Deadline;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /{index}/_revive}: continues each dead shard from its most advanced copy. If copies
 * are missing, one of them may be more advanced; the request then requires {@code
 * accept_data_loss=true}.
 */
public final class ReviveEndpoint implements RestEndpoint {

  private static final String ACCEPT = "accept_data_loss";

  private final ClusterAccess cluster;
  private final DeadShards deadShards;

  ReviveEndpoint(ClusterAccess cluster, DeadShards deadShards) {
    this.cluster = cluster;
    this.deadShards = deadShards;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/{index}/_revive");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    boolean acceptsLoss = request.flag(ACCEPT, false);
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    ActiveShards active = ActiveShardWait.asked(request);
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW);
    return RestAction.task(
        new TaskKind("indices:admin/revive", "revive indices [" + expression + "]", false),
        responder -> {
          List<IndexMetadata> indices = IndexResolver.resolve(cluster.state(), expression, options);
          List<DeadShards.Dead> dead = dead(indices);
          require(dead, expression, acceptsLoss);
          for (DeadShards.Dead shard : dead) {
            revive(shard, timeout);
          }
          boolean acknowledged = cluster.awaitAcknowledged(ackTimeout);
          boolean started = acknowledged && await(indices, active, ackTimeout);
          responder.json(
              200,
              object(
                  "acknowledged",
                  acknowledged,
                  "shards_acknowledged",
                  started,
                  "shards",
                  dead.stream().map(shard -> shown(cluster.state(), shard)).toList()));
        });
  }

  private List<DeadShards.Dead> dead(List<IndexMetadata> indices) throws InterruptedException {
    List<DeadShards.Dead> dead = new ArrayList<>();
    for (IndexMetadata index : indices) {
      dead.addAll(deadShards.of(cluster.state(), index));
    }
    return dead;
  }

  private static void require(List<DeadShards.Dead> dead, String expression, boolean acceptsLoss) {
    if (dead.isEmpty()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "no shard of ["
                  + expression
                  + "] is dead: a shard is dead if its primary can't start because its log lost"
                  + " operations that its copies hold"));
    }
    for (DeadShards.Dead shard : dead) {
      if (shard.missing() > 0 && !acceptsLoss) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                shard.missing()
                    + " copies of "
                    + shard.shard().shard()
                    + " are missing, and may be more advanced than the copy on node ["
                    + shard.node().name()
                    + "], which continues at seq_no "
                    + shard.position().nextSeqNo()
                    + ". Start their nodes, or accept the loss of their operations with ["
                    + ACCEPT
                    + "=true]"));
      }
    }
  }

  private void revive(DeadShards.Dead dead, Duration timeout) throws InterruptedException {
    long lastTerm = dead.shard().newestTerm();
    cluster.change(
        new ClusterCommand.ReviveShard(
            dead.shard().shard(),
            lastTerm,
            dead.node().nodeId(),
            new Revival(lastTerm + 1, dead.position().nextSeqNo(), dead.position().fenceTerm())),
        timeout);
  }

  private boolean await(
      List<IndexMetadata> indices, @Nullable ActiveShards active, Duration timeout)
      throws InterruptedException {
    boolean started = true;
    Deadline deadline = cluster.deadline(timeout);
    for (IndexMetadata index : indices) {
      started &= ActiveShardWait.await(cluster, index.name(), active, deadline.left());
    }
    return started;
  }

  private static Map<String, Object> shown(ClusterState state, DeadShards.Dead dead) {
    return object(
        "index",
        state
            .index(dead.shard().shard().indexUuid())
            .map(IndexMetadata::name)
            .orElse(dead.shard().shard().indexUuid()),
        "shard",
        dead.shard().shard().number(),
        "node",
        dead.node().name(),
        "next_seq_no",
        dead.position().nextSeqNo(),
        "copies",
        object("found", dead.found(), "missing", dead.missing()),
        "reason",
        dead.lost());
  }
}
