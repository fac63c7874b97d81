package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs searches against a server whose responses are set by each test. */
@Timeout(120)
class SelectionRunTest {

  private static final String GOOD = "{\"_shards\":{\"total\":1,\"failed\":0}}";
  private static final String PARTIAL = "{\"_shards\":{\"total\":2,\"failed\":1}}";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private HttpServer server;

  /** Responds to the search with that number. */
  private interface Answering {
    void answer(int number, HttpExchange exchange) throws IOException, InterruptedException;
  }

  private volatile Answering answering = (_, exchange) -> send(exchange, 200, GOOD);

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    try {
      answering.answer(begun.getAndIncrement(), exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(HttpExchange exchange, int status, String answer) throws IOException {
    underWay.decrementAndGet();
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private SelectionRun.Result run(SelectionRun.Load load, double seconds) throws Exception {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return new SelectionRun("a", seconds, load)
        .on(MeasuredServer.running("fake", url, List.of()), new SplittableRandom(42));
  }

  @Test
  void anOpenLoopSendsOnWhileTheServerIsSilent() throws Exception {
    int silent = 20;
    CountDownLatch arrived = new CountDownLatch(silent);
    answering =
        (_, exchange) -> {
          arrived.countDown();
          arrived.await();
          send(exchange, 200, GOOD);
        };

    SelectionRun.Result result = run(new SelectionRun.Load.Open(200), 0.5);

    assertThat(arrived.getCount()).isZero();
    assertThat(mostUnderWay.get()).isGreaterThanOrEqualTo(silent);
    assertThat(result.errors()).isZero();
  }

  @Test
  void aClosedLoopHasOneSearchUnderWayForEachClient() throws Exception {
    SelectionRun.Result result = run(new SelectionRun.Load.Closed(3, 0.001), 0.3);

    assertThat(mostUnderWay.get()).isBetween(1, 3);
    assertThat(result.searchesPerSecond()).isPositive();
    assertThat(result.p50Millis()).isPositive().isLessThanOrEqualTo(result.p90Millis());
    assertThat(result.p90Millis()).isLessThanOrEqualTo(result.p99Millis());
  }

  @Test
  void anAnswerWithAPartMissingIsAnErrorAndStillCounted() throws Exception {
    answering =
        (number, exchange) ->
            send(exchange, number % 3 == 0 ? 503 : 200, number % 3 == 1 ? PARTIAL : GOOD);

    SelectionRun.Result result = run(new SelectionRun.Load.Closed(1, 0.001), 0.3);

    int searches = begun.get();
    assertThat(result.errors()).isEqualTo(searches - searches / 3);
  }

  @Test
  void failuresAreCountedForEachSearchThatAClientSent() {
    SelectionRun.Result result =
        new SelectionRun.Result(0, 0, 0, 0, 0, SelectionSampler.Counts.NONE, Double.NaN);

    assertThat(result.failuresPerSearch(2)).isZero();
    // 100 attempts, of which 20 are extra, correspond to 40 searches of two shards.
    assertThat(
            result
                .with(new SelectionSampler.Counts(100, 0, 20, 10), Double.NaN)
                .failuresPerSearch(2))
        .isEqualTo(0.25);
  }
}
