package io.varve.coordinator.rest.cluster;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.NodeHeartbeat;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code _prometheus/targets}: the processes of the cluster in the format of Prometheus' HTTP
 * service discovery, from their heartbeats.
 *
 * <p>A process without heartbeats remains a target for an hour ({@code departed}), so that an alert
 * can report that it is down. A process that starts again on the same data folder or address
 * replaces the former one. While this coordinator receives no heartbeats at all, it answers with
 * 503, and Prometheus keeps the targets that it knows.
 */
public final class ScrapeTargetsEndpoint implements RestEndpoint {

  private static final Duration DEPARTED = Duration.ofHours(1);

  /** The service that has each role; the first role of a node counts. */
  private static final List<Map.Entry<String, String>> SERVICES =
      List.of(
          Map.entry(NodeInfo.COORDINATOR, "coordinator"),
          Map.entry(NodeInfo.PRIMARY, "shard-service"),
          Map.entry(NodeInfo.REPLICA, "replication-service"),
          Map.entry(NodeInfo.SEARCH, "search-service"),
          Map.entry(NodeInfo.CCR, "ccr-follower"));

  private final ClusterAccess cluster;

  public ScrapeTargetsEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_prometheus/targets");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration departed = request.time("departed", DEPARTED);
    return responder -> {
      if (cluster.heartbeats().isEmpty()) {
        throw new ApiException(
            503,
            "cluster_manager_not_discovered_exception",
            "this coordinator receives no heartbeats, so it does not know the processes");
      }
      responder.json(200, targets(cluster.state().clusterName(), cluster.heardWithin(departed)));
    };
  }

  private static List<Map<String, Object>> targets(
      String clusterName, Collection<NodeHeartbeat> heartbeats) {
    Map<String, NodeHeartbeat> byAddress = new TreeMap<>();
    heartbeats.stream()
        .sorted(Comparator.comparingLong(NodeHeartbeat::timestampMillis))
        .forEach(beat -> byAddress.put(URI.create(beat.url()).getAuthority(), beat));
    return byAddress.entrySet().stream()
        .map(target -> target(clusterName, target.getKey(), target.getValue()))
        .toList();
  }

  private static Map<String, Object> target(String cluster, String address, NodeHeartbeat beat) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("cluster", cluster);
    labels.put("node", beat.name());
    labels.put("service", service(beat));
    return Map.of("targets", List.of(address), "labels", labels);
  }

  /** A coordinator that stops gives up its role, and is still scraped as a coordinator. */
  private static String service(NodeHeartbeat beat) {
    if (beat.roles().isEmpty()) {
      return "coordinator";
    }
    return SERVICES.stream()
        .filter(service -> beat.roles().contains(service.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse("unknown");
  }
}
