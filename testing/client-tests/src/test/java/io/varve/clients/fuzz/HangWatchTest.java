package io.varve.clients.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HangWatchTest {

  private static final int CONTROLS = 5;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger controls = new AtomicInteger();
  private final CountDownLatch someControls = new CountDownLatch(CONTROLS - 2);
  private HttpServer server;
  private String url;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/control",
        exchange -> {
          controls.incrementAndGet();
          someControls.countDown();
          answer(exchange);
        });
    server.createContext("/never", exchange -> await(end));
    server.createContext(
        "/late",
        exchange -> {
          await(someControls);
          answer(exchange);
        });
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.close();
  }

  private RawConnection.Reply send(String path) throws IOException {
    FuzzRequest request = new FuzzRequest("GET", path, Map.of(), new byte[0]);
    try (HangWatch hangs = new HangWatch(url, RestAccess.PLAIN, CONTROLS, 1);
        RawConnection connection = new RawConnection(url, RestAccess.PLAIN, 0)) {
      return hangs.send(connection, request);
    }
  }

  @Test
  void aRequestHangsWhenEnoughLaterOnesWereAnswered() {
    assertThatThrownBy(() -> send("/never"))
        .isInstanceOf(HangWatch.HangException.class)
        .hasMessage("no answer while 5 control requests were answered");
    assertThat(controls).hasValueGreaterThanOrEqualTo(CONTROLS);
  }

  @Test
  void aRequestThatIsAnsweredLateDoesNotHang() throws IOException {
    assertThat(send("/late").status()).isEqualTo(200);
  }

  @Test
  void allRequestsEndWhenTheControlRequestGetsNoAnswer() {
    server.removeContext("/control");
    server.createContext(
        "/control",
        exchange -> {
          throw new IOException("closes the connection");
        });

    assertThatThrownBy(() -> send("/never"))
        .isInstanceOf(HangWatch.HangException.class)
        .hasMessageContaining("the control request got no answer");
  }
}
