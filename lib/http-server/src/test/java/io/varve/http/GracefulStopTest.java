package io.varve.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.rpc.UnreadRequest;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A real server stops while raw sockets have requests in progress, or none. */
@Timeout(300)
class GracefulStopTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String REFUSED = "refused";
  private static final String RESET = "reset";
  private static final int CLIENTS = 16;
  private static final String SLOW = "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private ServletWebServerApplicationContext server;
  private Waiting waiting;
  private int port;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    SslAutoConfiguration.class,
    JettyServletWebServerAutoConfiguration.class
  })
  @Import(HttpServerConfiguration.class)
  static class Service {
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    Waiting waiting() {
      return new Waiting();
    }

    @Bean
    ServletRegistrationBean<Waiting> servlet(Waiting waiting) {
      return new ServletRegistrationBean<>(waiting, "/*");
    }

    @Bean
    StopListener listener(Waiting waiting) {
      return new StopListener() {
        @Override
        public void stopping() {
          told.add("stopping");
        }

        @Override
        public void ending() {
          told.add("ending");
          waiting.release.countDown();
        }
      };
    }

    @Bean
    GracefulStop.Limits minutesToSendAnswers(HttpLimits http) {
      return new GracefulStop.Limits(http.drainTimeout(), Duration.ofMinutes(5));
    }

    @Bean
    Queue<String> told() {
      return told;
    }
  }

  /**
   * Answers {@code /slow} once it is released, {@code /begun} after the head as well, and anything
   * else immediately.
   */
  static final class Waiting extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient CountDownLatch begun = new CountDownLatch(1);
    private final transient CountDownLatch release = new CountDownLatch(1);
    private final transient Set<String> executed = ConcurrentHashMap.newKeySet();

    private void await() throws IOException {
      begun.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      executed.add(request.getRequestURI());
      if (request.getRequestURI().equals("/begun")) {
        response.flushBuffer();
      }
      if (Set.of("/begun", "/slow").contains(request.getRequestURI())) {
        await();
      }
      response.getWriter().print("done");
    }
  }

  @BeforeEach
  void start() throws IOException {
    start("--http.drain-timeout=10m");
  }

  /** Further properties of the server. */
  List<String> properties() throws IOException {
    return List.of();
  }

  /** A new connection to the server. */
  Socket connect(int serverPort) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), serverPort);
  }

  private void start(String... properties) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate",
                "--spring.threads.virtual.enabled=true",
                "--spring.main.banner-mode=off"));
    arguments.addAll(List.of(properties));
    arguments.addAll(properties());
    server =
        (ServletWebServerApplicationContext)
            SpringApplication.run(Service.class, arguments.toArray(String[]::new));
    port = server.getWebServer().getPort();
    waiting = server.getBean(Waiting.class);
  }

  @AfterEach
  void close() throws IOException {
    waiting.release.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  @Test
  void aRequestInProgressIsAnsweredAndNoOtherIsAccepted() throws Exception {
    Socket slow = send(SLOW);
    waiting.begun.await();

    CompletableFuture<Void> stop = stopInBackground();
    awaitRefusal();
    assertThat(stop).isNotDone();
    waiting.release.countDown();

    assertThat(answer(slow))
        .startsWith("HTTP/1.1 200")
        .containsIgnoringCase("Connection: close")
        .endsWith("done");
    slow.close();
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void anIdleConnectionIsToldThatNoFurtherRequestWasRead() throws Exception {
    Socket idle = send(GET);
    awaitAnswered(idle);

    CompletableFuture<Void> stop = stopInBackground();

    assertToldUnread(idle);
    idle.close();
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void anAnswerThatHadBegunIsFollowedByWordThatNoFurtherRequestWasRead() throws Exception {
    Socket begun = send("GET /begun HTTP/1.1\r\nHost: localhost\r\n\r\n");
    waiting.begun.await();
    CompletableFuture<Void> stop = stopInBackground();
    awaitRefusal();
    waiting.release.countDown();

    assertThat(answer(begun))
        .startsWith("HTTP/1.1 200")
        .contains("done")
        .containsPattern("(?s)HTTP/1.1 503 .*" + UnreadRequest.HEADER + ": true");
    begun.close();
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void aConnectionWithHalfOfARequestIsToldThatItWasNotRead() throws Exception {
    Socket unused = send("");
    Socket half = send("GET / HTTP/1.1\r\nHost");
    Socket answered = send(GET);
    awaitAnswered(answered);
    await().atMost(PATIENCE).until(() -> connections() == 3);

    CompletableFuture<Void> stop = stopInBackground();

    for (Socket each : List.of(unused, half, answered)) {
      assertToldUnread(each);
      each.close();
    }
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void aClientThatKeepsItsConnectionDelaysTheStopForAShortTimeOnly() throws Exception {
    Socket idle = send(GET);
    awaitAnswered(idle);

    stopInBackground().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);

    idle.getOutputStream().write(GET.getBytes(US_ASCII));
    assertToldUnread(idle);
  }

  /** How the last of many connections of a client ended. */
  private record LastConnection(String path, String end) {}

  /**
   * A connection may be established between the last accept and the close of the port, and is then
   * reset: see {@link ListeningPort}.
   */
  @RepeatedTest(5)
  void aConnectionThatIsMadeWhileTheServerStopsIsAnsweredOrRefusedOrItsRequestIsNotExecuted()
      throws Exception {
    CountDownLatch served = new CountDownLatch(CLIENTS);
    List<CompletableFuture<LastConnection>> clients = new ArrayList<>();
    for (int n = 0; n < CLIENTS; n++) {
      String client = "/" + n + "/";
      clients.add(
          CompletableFuture.supplyAsync(
              () -> connectUntilRefused(served, client), task -> Thread.ofVirtual().start(task)));
    }
    served.await();

    CompletableFuture<Void> stop = stopInBackground();

    for (CompletableFuture<LastConnection> client : clients) {
      LastConnection last = client.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(last.end()).isIn(REFUSED, RESET);
    }
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    for (CompletableFuture<LastConnection> client : clients) {
      assertThat(waiting.executed).doesNotContain(client.join().path());
    }
  }

  private LastConnection connectUntilRefused(CountDownLatch served, String client) {
    String path = client;
    try {
      for (int n = 0; ; n++) {
        path = client + n;
        try (Socket socket = connect(port)) {
          socket.setSoTimeout((int) PATIENCE.toMillis());
          String last = requestedOn(socket, path);
          if (!last.startsWith("HTTP/1.1 200") && !last.contains(UnreadRequest.HEADER)) {
            return new LastConnection(path, last);
          }
          served.countDown();
        }
      }
    } catch (IOException e) {
      return new LastConnection(
          path, served.getCount() == 0 ? REFUSED : "refused before the stop: " + e);
    } finally {
      served.countDown();
    }
  }

  private static String requestedOn(Socket socket, String path) {
    try {
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .formatted(path)
                  .getBytes(US_ASCII));
      return answer(socket);
    } catch (SocketTimeoutException e) {
      return "neither answered nor reset: " + e;
    } catch (IOException e) {
      return RESET;
    }
  }

  @Test
  void listenersAreToldWhenTheStopBeginsAndWhenItsTimeIsOver() throws Exception {
    server.close();
    start("--http.drain-timeout=10ms");
    Queue<?> told = server.getBean("told", Queue.class);
    Socket slow = send(SLOW);
    waiting.begun.await();

    CompletableFuture<Void> stop = stopInBackground();

    assertThat(answer(slow)).as("the listener ended it").startsWith("HTTP/1.1 200");
    slow.close();
    stop.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(told).asString().isEqualTo("[stopping, ending]");
  }

  private CompletableFuture<Void> stopInBackground() {
    return CompletableFuture.runAsync(
        server::close, command -> Thread.ofVirtual().name("stop").start(command));
  }

  private double connections() {
    return server.getBean(MeterRegistry.class).get("varve.http.connections").gauge().value();
  }

  private void awaitRefusal() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class));
  }

  private Socket send(String text) throws IOException {
    Socket socket = connect(port);
    sockets.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return socket;
  }

  private static void awaitAnswered(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("done")) {
      int c = socket.getInputStream().read();
      assertThat(c).as("%s", text).isNotNegative();
      text.append((char) c);
    }
  }

  /** Everything until the server ends the connection. */
  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  private static void assertToldUnread(Socket socket) throws IOException {
    assertThat(answer(socket))
        .startsWith("HTTP/1.1 503 ")
        .containsIgnoringCase("Connection: close")
        .contains(UnreadRequest.HEADER + ": true")
        .contains("node_closed_exception");
  }
}
