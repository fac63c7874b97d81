package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpLeaderClientTest {

  private static final String PAGE = "<html><body>503 Service Unavailable</body></html>";

  @TempDir Path folder;
  private final AtomicInteger asked = new AtomicInteger();

  /** The client's time, which the server advances. */
  private final AtomicLong nanos = new AtomicLong();

  private volatile long nanosForEachAnswer;
  private volatile int pages;
  private volatile int pageStatus = 503;
  private NodeWorld world;
  private HttpServer server;
  private HttpLeaderClient client;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                "c1",
                "c1",
                "incarnation",
                Set.of(NodeInfo.COORDINATOR),
                "http://127.0.0.1:" + server.getAddress().getPort())));
    NodeContext node = world.node("n1");
    client = new HttpLeaderClient(node.cluster(), node.http(), nanos::get);
  }

  @AfterEach
  void close() {
    server.stop(0);
    world.close();
  }

  private void answer(HttpExchange exchange) {
    boolean page = asked.incrementAndGet() <= pages;
    nanos.addAndGet(nanosForEachAnswer);
    byte[] body = (page ? PAGE : "{\"version\":7}").getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(page ? pageStatus : 200, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long started(Duration timeout) {
    return client.copyStarted(
        new ClusterCalls.CopyStarted(NodeWorld.SHARD, "copy", "i1", 1), timeout);
  }

  @Test
  void asksAgainWhenAServerThatStopsAnswersWithAPage() {
    pages = 2;

    assertThat(started(Duration.ofSeconds(60))).isEqualTo(7);
    assertThat(asked.get()).isEqualTo(3);
  }

  @Test
  void aPageInPlaceOfTheAnswerIsNoAnswer() {
    pages = 1;
    pageStatus = 200;

    assertThat(started(Duration.ofSeconds(60))).isEqualTo(7);
  }

  @Test
  void whenOnlyPagesComeTheLeaderIsNotDiscovered() {
    pages = Integer.MAX_VALUE;
    nanosForEachAnswer = Duration.ofSeconds(25).toNanos();

    assertThatThrownBy(() -> started(Duration.ofSeconds(60)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("no leader answered");

    assertThat(asked.get()).isEqualTo(3);
  }
}
