package io.varve.coordinator.rest.ccr;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.process.Parallel;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the reports of other processes about followers. A process that does not answer is
 * omitted, so its shards have no report.
 */
public final class FollowReports {

  private static final Logger LOG = LoggerFactory.getLogger(FollowReports.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ClusterAccess cluster;
  private final HttpClient http;
  private final Parallel parallel;

  FollowReports(ClusterAccess cluster, HttpClient http, Parallel parallel) {
    this.cluster = cluster;
    this.http = http;
    this.parallel = parallel;
  }

  /**
   * The statistics of auto-follow, in the form of {@code auto_follow_stats}. They come from the
   * leading coordinator, which executes auto-follow.
   */
  Map<?, ?> autoFollow() throws InterruptedException {
    NodeInfo leading = cluster.state().nodes().get(cluster.state().leaderNodeId());
    if (leading == null) {
      return FollowStats.autoFollow();
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(leading.url() + "/_internal/ccr/auto_follow"))
            .timeout(TIMEOUT)
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? Json.read(response.body(), Map.class)
          : FollowStats.autoFollow();
    } catch (IOException | MalformedRecordException e) {
      LOG.debug("coordinator {} did not report on auto-follow", leading.name(), e);
      return FollowStats.autoFollow();
    }
  }

  /** The progress of all pullers. */
  public List<PullerStats> pullers() throws InterruptedException {
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
}
