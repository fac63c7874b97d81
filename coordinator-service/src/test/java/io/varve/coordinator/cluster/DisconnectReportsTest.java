package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisconnectReportsTest {

  private static final NodeInfo NODE = node("p", "p-1", 7001);
  private static final NodeInfo OTHER = node("q", "q-1", 70011);

  private final AtomicLong nanos = new AtomicLong();
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final List<String> received = new ArrayList<>();
  private ClusterState state =
      ClusterState.EMPTY
          .apply(new ClusterEvent.NodeJoined(NODE))
          .apply(new ClusterEvent.NodeJoined(OTHER));

  /** A leader that is here if it has no URL. */
  private static final class FakeLeader implements DisconnectReports.Leader {
    Optional<String> url = Optional.empty();
    final List<String> reported = new ArrayList<>();

    @Override
    public boolean isHere() {
      return url.isEmpty();
    }

    @Override
    public void disconnected(String nodeId, String incarnation) {
      reported.add(nodeId + " " + incarnation);
    }

    @Override
    public Optional<String> url() {
      return url;
    }
  }

  private final FakeLeader leader = new FakeLeader();
  private final DisconnectReports reports =
      new DisconnectReports(() -> state, leader, http, Runnable::run, nanos::get);

  DisconnectReportsTest() throws IOException {
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    http.close();
  }

  private static NodeInfo node(String id, String incarnation, int port) {
    return new NodeInfo(id, id, incarnation, Set.of("primary"), "http://127.0.0.1:" + port);
  }

  private void leaderAnswers(int status) {
    leader.url = Optional.of("http://127.0.0.1:" + server.getAddress().getPort());
    server.createContext(
        "/",
        exchange -> {
          received.add(
              exchange.getRequestURI().getPath()
                  + " "
                  + Json.read(
                      exchange.getRequestBody().readAllBytes(),
                      ClusterCalls.NodeDisconnected.class));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }

  @Test
  void reportsTheMemberAtTheAddressToTheLeaderInThisProcess() {
    reports.disconnected(NODE.url() + "/_internal/shards/uuid/0/bulk?term=1");
    reports.disconnected("http://127.0.0.1:1/_internal/node");
    assertThat(leader.reported).containsExactly("p p-1");
    reports.disconnected(OTHER.url() + "/_internal/node");
    assertThat(leader.reported).containsExactly("p p-1", "q q-1");
  }

  @Test
  void reportsAProcessOncePerPauseHoweverManyRequestsFail() {
    for (int i = 0; i < 1_000; i++) {
      reports.disconnected(NODE.url() + "/_internal/node");
      nanos.addAndGet(Duration.ofMillis(1).toNanos());
    }
    assertThat(leader.reported).hasSize(4);

    state = state.apply(new ClusterEvent.NodeJoined(node("p", "p-2", 7001)));
    reports.disconnected(NODE.url() + "/_internal/node");
    assertThat(leader.reported).as("another process").endsWith("p p-2").hasSize(5);
  }

  @Test
  void sendsTheReportToTheLeaderInAnotherProcess() {
    leaderAnswers(200);
    reports.disconnected(NODE.url() + "/_internal/node");
    assertThat(received)
        .containsExactly(
            DisconnectReports.PATH + " " + new ClusterCalls.NodeDisconnected("p", "p-1"));
    assertThat(leader.reported).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 421, 500})
  void aLeaderThatDoesNotTakeReportsIsAskedAgainWithTheNextOne(int status) {
    leaderAnswers(status);
    reports.disconnected(NODE.url() + "/_internal/node");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    reports.disconnected(NODE.url() + "/_internal/node");
    assertThat(received).hasSize(2);
  }

  @Test
  void aLeaderThatCannotBeReachedIsNoProblem() {
    leader.url = Optional.of("http://127.0.0.1:1");
    reports.disconnected(NODE.url() + "/_internal/node");
    assertThat(leader.reported).isEmpty();
  }
}
