package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Calls the leader over HTTP: first the leader that the cluster state names, then any other
 * coordinator. The answer of a coordinator that does not lead contains the URL of the leader, which
 * is called next. Retries until the timeout.
 */
public final class HttpLeaderClient implements LeaderClient {

  private static final int MISDIRECTED = 421;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ClusterView cluster;
  private final HttpClient http;
  private final Ticker clock;

  /**
   * @param clock measures the timeouts of calls
   */
  public HttpLeaderClient(ClusterView cluster, HttpClient http, Ticker clock) {
    this.cluster = cluster;
    this.http = http;
    this.clock = clock;
  }

  @Override
  public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
    return call("terms", request, timeout);
  }

  @Override
  public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
    return call("copies/started", news, timeout);
  }

  @Override
  public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
    return call("copies/failed", news, timeout);
  }

  @Override
  public long newFields(ClusterCalls.NewFields request, Duration timeout) {
    return call("mappings", request, timeout);
  }

  @Override
  public long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout) {
    return call("leases/over-limit", news, timeout);
  }

  @Override
  public long historyLost(ClusterCalls.LostHistory news, Duration timeout) {
    return call("followers/lost", news, timeout);
  }

  private long call(String path, Object body, Duration timeout) {
    long deadlineNanos = clock.nanos() + timeout.toNanos();
    byte[] json = Json.write(body);
    String trouble = "no coordinator is known";
    try {
      while (true) {
        Deque<String> urls = new ArrayDeque<>(coordinators(cluster.current()));
        Set<String> tried = new LinkedHashSet<>();
        while (!urls.isEmpty()) {
          String url = urls.removeFirst();
          Duration left = Duration.ofNanos(deadlineNanos - clock.nanos());
          if (!tried.add(url) || left.isNegative() || left.isZero()) {
            continue;
          }
          try {
            HttpResponse<byte[]> response = post(url + "/_internal/cluster/" + path, json, left);
            if (response.statusCode() == 200) {
              return Json.read(response.body(), ClusterCalls.Applied.class).version();
            }
            JsonNode answer = Json.mapper().readTree(response.body());
            if (response.statusCode() == MISDIRECTED && answer.path("leader_url").isString()) {
              urls.addFirst(answer.path("leader_url").asString());
            } else if (response.statusCode() / 100 == 4 && response.statusCode() != MISDIRECTED) {
              throw refused(response.statusCode(), answer);
            }
            trouble = url + " answered " + response.statusCode();
          } catch (IOException | JacksonException | MalformedRecordException e) {
            // An unreadable answer, for example of a server that stops, is not a decision of the
            // leader.
            trouble = url + ": " + e;
          }
        }
        if (clock.nanos() + PAUSE.toNanos() >= deadlineNanos) {
          throw new ApiException(
              503, "cluster_manager_not_discovered_exception", "no leader answered: " + trouble);
        }
        // The pause ends early only for another leader, not for the return of the same one.
        long term = cluster.current().leaderTerm();
        var _ = cluster.await(state -> state.leaderTerm() > term, PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "cluster_manager_not_discovered_exception", "interrupted");
    }
  }

  private HttpResponse<byte[]> post(String url, byte[] json, Duration timeout)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(url))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static Set<String> coordinators(ClusterState state) {
    Set<String> urls = new LinkedHashSet<>();
    state.node(state.leaderNodeId()).map(NodeInfo::url).ifPresent(urls::add);
    state.nodes().values().stream()
        .filter(node -> node.has(NodeInfo.COORDINATOR))
        .map(NodeInfo::url)
        .forEach(urls::add);
    return urls;
  }

  private static ApiException refused(int status, JsonNode answer) {
    JsonNode error = answer.path("error");
    return new ApiException(
        status,
        error.path("type").asString("illegal_argument_exception"),
        error.path("reason").asString("refused by the leader"));
  }
}
