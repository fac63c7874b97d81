package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.control.ClusterLeader;
import io.varve.events.Json;
import io.varve.process.Ticker;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the leader, in this or another process, the members to which a connection was refused
 * or broke: at most one report per member process and pause, however many requests fail. A lost
 * report is not repeated, because the next failed request causes another one.
 */
final class DisconnectReports {

  /** The endpoint of the leader. A leader of an older release doesn't have it and answers 404. */
  static final String PATH = "/_internal/cluster/nodes/disconnected";

  private static final Logger LOG = LoggerFactory.getLogger(DisconnectReports.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(250).toNanos();
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** The leader as this coordinator knows it. */
  interface Leader {

    /** Whether it is in this process. */
    boolean isHere();

    /** Reports to the leader in this process. Does not block. */
    void disconnected(String nodeId, String incarnation);

    /** The address of the leader in another process, if known. */
    Optional<String> url();

    static Leader of(ClusterLeader leader, CommandRouter commands) {
      return new Leader() {
        @Override
        public boolean isHere() {
          return leader.isLeading();
        }

        @Override
        public void disconnected(String nodeId, String incarnation) {
          leader.disconnected(nodeId, incarnation);
        }

        @Override
        public Optional<String> url() {
          return commands.leaderUrl();
        }
      };
    }
  }

  private final Supplier<ClusterState> state;
  private final Leader leader;
  private final HttpClient http;
  private final Executor blocking;
  private final Ticker ticker;
  private final Map<String, Long> reportedNanos = new HashMap<>();

  DisconnectReports(
      Supplier<ClusterState> state,
      Leader leader,
      HttpClient http,
      Executor blocking,
      Ticker ticker) {
    this.state = state;
    this.leader = leader;
    this.http = http;
    this.blocking = blocking;
    this.ticker = ticker;
  }

  /** The connection of a request to this URL was refused or broke. Does not block. */
  void disconnected(String url) {
    ClusterState now = state.get();
    now.nodes().values().stream()
        .filter(node -> url.startsWith(node.url() + "/"))
        .filter(node -> isDue(now, node))
        .forEach(this::report);
  }

  private synchronized boolean isDue(ClusterState now, NodeInfo node) {
    long nowNanos = ticker.nanos();
    Long before = reportedNanos.get(node.incarnation());
    if (before != null && nowNanos - before < PAUSE_NANOS) {
      return false;
    }
    reportedNanos
        .keySet()
        .retainAll(
            now.nodes().values().stream().map(NodeInfo::incarnation).collect(Collectors.toSet()));
    reportedNanos.put(node.incarnation(), nowNanos);
    return true;
  }

  private void report(NodeInfo node) {
    if (leader.isHere()) {
      leader.disconnected(node.nodeId(), node.incarnation());
    } else {
      leader.url().ifPresent(url -> blocking.execute(() -> send(url, node)));
    }
  }

  private void send(String url, NodeInfo node) {
    ClusterCalls.NodeDisconnected report =
        new ClusterCalls.NodeDisconnected(node.nodeId(), node.incarnation());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + PATH))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(report)))
            .build();
    try {
      int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        LOG.debug("the leader at {} answered {} to a report of {}", url, status, node.nodeId());
      }
    } catch (IOException e) {
      LOG.debug("the leader at {} did not receive a report of {}", url, node.nodeId(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
