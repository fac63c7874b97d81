package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes to a server that spends virtual time on each response. */
@Timeout(120)
class SteadyWriterTest {

  private static final long MILLI = 1_000_000;

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  /** Acks each write after 10 ms, except for writes 3 and 4, which are rejected after 200 ms. */
  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    int number = requests.incrementAndGet();
    boolean refused = number == 3 || number == 4;
    clock.sleepNanos((refused ? 200 : 10) * MILLI);
    exchange.sendResponseHeaders(refused ? 503 : 201, -1);
    exchange.close();
  }

  @Test
  void theLongestTimeBetweenTwoAcksIsTheOutage() throws Exception {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try (SteadyWriter writer =
        new SteadyWriter(MeasuredServer.running("fake", url, List.of()), "a", clock)) {
      writer.awaitMore(6);

      assertThat(writer.failures()).isEqualTo(2);
      // Two rejections after 200 ms, each followed by 5 ms before the retry, then an ack after 10
      // ms.
      assertThat(writer.longestGapMillis(0, 500 * MILLI)).isEqualTo(420);
    }
    assertThat(requests.get()).isGreaterThanOrEqualTo(8);
  }
}
