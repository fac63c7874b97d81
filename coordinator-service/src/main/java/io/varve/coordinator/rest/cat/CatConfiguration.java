package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.client.routing.LaggingCopies;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ccr.FollowReports;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.coordinator.rest.document.ReplicationPressure;
import io.varve.coordinator.rest.search.Counter;
import io.varve.coordinator.rest.task.TaskBoard;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of {@code _cat}. */
@Configuration(proxyBeanMethods = false)
public class CatConfiguration {

  @Bean
  RestEndpoints catEndpoints(
      ClusterAccess cluster,
      CopyReader copies,
      NodeReader nodes,
      Counter counter,
      TaskBoard board,
      UnassignedTimes times,
      ReplicationPressure pressure,
      LaggingCopies laggards,
      FollowReports followers,
      InstantSource restClock) {
    List<RestEndpoint> tables = new ArrayList<>();
    tables.addAll(ofCluster(new ClusterTables(cluster, counter, restClock)));
    tables.addAll(ofNodes(cluster, copies, nodes));
    tables.addAll(ofShards(cluster, copies, times, restClock));
    tables.add(
        new CatEndpoint(
            new IndexTable(cluster, copies)::prepare, "/_cat/indices", "/_cat/indices/{index}"));
    tables.add(
        new CatEndpoint(
            new ReplicationTable(cluster, pressure, laggards)::prepare,
            "/_cat/segment_replication",
            "/_cat/segment_replication/{index}"));
    tables.add(
        new CatEndpoint(
            new StrongShardTable(cluster, copies)::prepare,
            "/_cat/replication",
            "/_cat/replication/{index}"));
    tables.add(
        new CatEndpoint(
            new FollowerTable(cluster, followers)::prepare,
            "/_cat/followers",
            "/_cat/followers/{index}"));
    tables.add(new CatEndpoint(new TaskTable(board)::tasks, TaskTable.LIST, "/_cat/tasks"));
    List<RestEndpoint> endpoints = new ArrayList<>(tables);
    endpoints.add(new Overview(tables));
    return new RestEndpoints(endpoints);
  }

  private static List<RestEndpoint> ofCluster(ClusterTables tables) {
    return List.of(
        new CatEndpoint(tables::health, "/_cat/health"),
        new CatEndpoint(tables::count, "/_cat/count", "/_cat/count/{index}"),
        new CatEndpoint(tables::pendingTasks, "/_cat/pending_tasks"),
        new CatEndpoint(tables::aliases, "/_cat/aliases", "/_cat/aliases/{name}"),
        new CatEndpoint(tables::templates, "/_cat/templates", "/_cat/templates/{name}"),
        new CatEndpoint(tables::repositories, "/_cat/repositories"),
        new CatEndpoint(tables::snapshots, "/_cat/snapshots", "/_cat/snapshots/{repository}"));
  }

  private static List<RestEndpoint> ofNodes(
      ClusterAccess cluster, CopyReader copies, NodeReader nodes) {
    NodeTables tables = new NodeTables(cluster, nodes);
    return List.of(
        new CatEndpoint(tables::clusterManager, "/_cat/master", "/_cat/cluster_manager"),
        new CatEndpoint(new NodeTable(cluster, copies, nodes)::prepare, "/_cat/nodes"),
        new CatEndpoint(
            new AllocationTable(cluster, copies, nodes)::prepare,
            "/_cat/allocation",
            "/_cat/allocation/{node_id}"),
        new CatEndpoint(tables::attributes, "/_cat/nodeattrs"),
        new CatEndpoint(tables::plugins, "/_cat/plugins"),
        new CatEndpoint(
            new FielddataTable(cluster, copies)::prepare,
            "/_cat/fielddata",
            "/_cat/fielddata/{fields}"),
        new CatEndpoint(
            new ThreadPoolTable(cluster, nodes)::prepare,
            "/_cat/thread_pool",
            "/_cat/thread_pool/{thread_pool_patterns}"));
  }

  private static List<RestEndpoint> ofShards(
      ClusterAccess cluster, CopyReader copies, UnassignedTimes times, InstantSource clock) {
    return List.of(
        new CatEndpoint(
            new ShardTable(cluster, copies, times, clock)::prepare,
            "/_cat/shards",
            "/_cat/shards/{index}"),
        new CatEndpoint(
            new SegmentTable(cluster, copies)::prepare, "/_cat/segments", "/_cat/segments/{index}"),
        new CatEndpoint(
            new RecoveryTable(cluster, copies, clock)::prepare,
            "/_cat/recovery",
            "/_cat/recovery/{index}"));
  }

  /** {@code _cat} itself: lists the paths of the tables. */
  private record Overview(List<RestEndpoint> tables) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.get("/_cat");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      StringBuilder text = new StringBuilder("=^.^=\n");
      tables.stream()
          .flatMap(table -> table.routes().stream())
          .map(Route::template)
          .sorted()
          .forEach(path -> text.append(path).append('\n'));
      return responder -> responder.text(200, text.toString());
    }
  }
}
