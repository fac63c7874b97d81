package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for operations of a server that holds one more with each response. */
@Timeout(120)
class AwaitedOperationsTest {

  private static final long MILLI = 1_000_000;

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger held = new AtomicInteger();
  private volatile long millisOfARequest = 2;
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

  private void handle(HttpExchange exchange) throws IOException {
    clock.pass(millisOfARequest * MILLI);
    byte[] stats =
        "{\"indices\":{\"a\":{\"shards\":{\"0\":[{\"routing\":{\"primary\":true},\"seq_no\":{\"local_checkpoint\":%d}}]}}}}"
            .formatted(held.getAndIncrement())
            .getBytes(UTF_8);
    exchange.sendResponseHeaders(200, stats.length);
    exchange.getResponseBody().write(stats);
    exchange.close();
  }

  private long await(long operations) throws IOException, InterruptedException {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return Checkpoints.awaitOperations(
        MeasuredServer.running("fake", url, List.of()), "a", operations, 1, clock);
  }

  @Test
  void theTimeIsThatOfTheFirstAnswerWithAllOperations() throws Exception {
    assertThat(await(3)).as("three requests and two pauses").isEqualTo((3 * 2 + 2 * 5) * MILLI);
    assertThat(held).hasValue(3);
  }

  @Test
  void itFailsWhenOperationsAreMissingAfterTenMinutes() {
    millisOfARequest = TimeUnit.MINUTES.toMillis(4);

    assertThatThrownBy(() -> await(1_000))
        .isInstanceOf(IOException.class)
        .hasMessage("a holds 3 of 1,000 operations");
  }
}
