package io.varve.coordinator.rest.ccr;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.ShardId;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code GET /_plugins/_replication/leader_stats}, {@code follower_stats} and {@code
 * autofollow_stats}: see {@link ReplicationStats}.
 */
final class ReplicationStatsEndpoint implements RestEndpoint {

  /** Collects one kind of statistics. */
  @FunctionalInterface
  private interface Collector {
    Map<String, Object> collect() throws InterruptedException;
  }

  private final String path;
  private final Collector collector;

  private ReplicationStatsEndpoint(String path, Collector collector) {
    this.path = path;
    this.collector = collector;
  }

  /** One endpoint for each of the requests. */
  static List<RestEndpoint> all(ClusterAccess cluster, FollowReports reports, CopyReader copies) {
    return List.of(
        new ReplicationStatsEndpoint(
            "leader_stats", () -> ReplicationStats.leader(replicated(cluster.state(), copies))),
        new ReplicationStatsEndpoint(
            "follower_stats", () -> ReplicationStats.follower(cluster.state(), reports.pullers())),
        new ReplicationStatsEndpoint(
            "autofollow_stats",
            () -> ReplicationStats.autoFollow(cluster.state().autoFollow(), reports.autoFollow())));
  }

  private static List<String> replicated(ClusterState state, CopyReader copies)
      throws InterruptedException {
    Set<String> uuids =
        copies.leases(state, state.indices().values()).stream()
            .filter(answer -> answer.reported() != null && !answer.reported().leases().isEmpty())
            .map(answer -> answer.copy().shard())
            .map(ShardId::indexUuid)
            .collect(Collectors.toSet());
    return state.indices().values().stream()
        .filter(index -> uuids.contains(index.uuid()))
        .map(IndexMetadata::name)
        .toList();
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_plugins/_replication/" + path);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return responder -> responder.json(200, collector.collect());
  }
}
