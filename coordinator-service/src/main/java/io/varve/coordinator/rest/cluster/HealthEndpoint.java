package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.process.Deadline;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cluster/health}: responds when the requested conditions hold, or with 408 after the
 * timeout.
 */
public final class HealthEndpoint implements RestEndpoint {

  private static final TaskKind TASK = new TaskKind("cluster:monitor/health", "", false);

  private final ClusterAccess cluster;

  public HealthEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** The health at one point in time; {@code indices} is null if a name is missing. */
  private record Moment(ClusterState state, @Nullable List<IndexMetadata> indices, Health health) {

    static Moment of(ClusterState state, @Nullable String expression, IndexOptions options) {
      try {
        List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
        return new Moment(state, indices, Health.of(state, indices));
      } catch (ApiException e) {
        if (e.error().status() != 404) {
          throw e;
        }
        return new Moment(state, null, Health.MISSING);
      }
    }
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_cluster/health", "/_cluster/health/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    HealthConditions wanted = HealthConditions.of(request);
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    String level = request.param("level", "cluster");
    if (!List.of("cluster", "indices", "shards").contains(level)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "level parameter must be one of [cluster] or [indices] or [shards] but was ["
                  + level
                  + "]"));
    }
    IndexOptions defaults = new IndexOptions(false, true, true, true);
    IndexOptions options = IndexOptions.of(request, defaults);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    return RestAction.task(
        TASK,
        responder -> {
          Moment moment = moment(expression, options);
          if (!isGranted(wanted, moment)) {
            moment = awaited(wanted, expression, options, timeout);
          }
          boolean granted = isGranted(wanted, moment);
          responder.json(granted ? 200 : 408, answer(moment, !granted, level));
        });
  }

  private Moment moment(@Nullable String expression, IndexOptions options) {
    return Moment.of(HeardNodes.state(cluster), expression, options);
  }

  /**
   * Waits for the conditions; checks them after each change of the state and after each first
   * heartbeat of a process.
   */
  private Moment awaited(
      HealthConditions wanted, @Nullable String expression, IndexOptions options, Duration timeout)
      throws InterruptedException {
    Deadline deadline = cluster.deadline(timeout);
    Semaphore news = new Semaphore(0);
    try (var _ = cluster.listen(state -> news.release());
        var _ = cluster.onFirstHeartbeat(news::release)) {
      while (true) {
        news.drainPermits();
        Moment moment = moment(expression, options);
        if (isGranted(wanted, moment)
            || !news.tryAcquire(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
          return moment;
        }
      }
    }
  }

  private static boolean isGranted(HealthConditions wanted, Moment moment) {
    return wanted.isGranted(moment.state(), moment.health(), moment.indices() != null);
  }

  private Map<String, Object> answer(Moment moment, boolean timedOut, String level) {
    ClusterState state = moment.state();
    Health health = moment.health();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("cluster_name", state.clusterName());
    answer.put("status", health.status().word());
    answer.put("timed_out", timedOut);
    answer.put("number_of_nodes", state.nodes().size());
    answer.put("number_of_data_nodes", Health.dataNodes(state).size());
    answer.put("discovered_master", Health.hasLeader(state));
    answer.put("discovered_cluster_manager", Health.hasLeader(state));
    putShards(answer, health);
    answer.put("delayed_unassigned_shards", health.delayed());
    answer.put("number_of_pending_tasks", 0);
    answer.put("number_of_in_flight_fetch", 0);
    answer.put("task_max_waiting_in_queue_millis", 0);
    answer.put("active_shards_percent_as_number", health.activePercent());
    answer.put("security_enabled", cluster.isSecured());
    if (!level.equals("cluster") && moment.indices() != null) {
      Map<String, Object> indices = new LinkedHashMap<>();
      for (IndexMetadata index : moment.indices()) {
        indices.put(index.name(), index(state, index, level.equals("shards")));
      }
      answer.put("indices", indices);
    }
    return answer;
  }

  private static Map<String, Object> index(
      ClusterState state, IndexMetadata index, boolean shards) {
    Health health = Health.of(state, index);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("status", health.status().word());
    answer.put("number_of_shards", index.numberOfShards());
    answer.put("number_of_replicas", index.numberOfReplicas());
    putShards(answer, health);
    if (shards) {
      Map<String, Object> byNumber = new LinkedHashMap<>();
      for (ShardRouting shard : index.shards()) {
        Health own = Health.of(state, shard);
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("status", own.status().word());
        one.put("primary_active", own.primaries() == 1);
        one.put("active_shards", own.active());
        one.put("relocating_shards", own.moving());
        one.put("initializing_shards", own.initializing());
        one.put("unassigned_shards", own.unassigned());
        byNumber.put(Integer.toString(shard.shard().number()), one);
      }
      answer.put("shards", byNumber);
    }
    return answer;
  }

  private static void putShards(Map<String, Object> answer, Health health) {
    answer.put("active_primary_shards", health.primaries());
    answer.put("active_shards", health.active());
    answer.put("relocating_shards", health.moving());
    answer.put("initializing_shards", health.initializing());
    answer.put("unassigned_shards", health.unassigned());
  }
}
