package io.varve.coordinator.rest.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.stats.Pools;
import io.varve.http.route.RouteServlet;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import io.varve.rest.InFlightRequests;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rest.route.RestFilters;
import io.varve.rest.route.RestRoutes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Uses a real server and a client that closes its connection, or keeps it open, while its search
 * runs. Requests pass the routes and filters of the REST dialect.
 */
class ClosedConnectionTest {

  private static final TaskKind SEARCH = new TaskKind("indices:data/read/search", "", true);
  private static final TaskKind WRITE = new TaskKind("indices:data/write/bulk", "", true);

  /** The time, which only the test advances. */
  private final AtomicLong nowNanos = new AtomicLong();

  private final Tasks tasks = new Tasks(() -> "node", InstantSource.system(), task -> {});
  private final ClientConnections clients =
      new ClientConnections(JettyConnection::of, tasks::cancel, nowNanos::get);
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  /** The running search, and the future that ends it. */
  private final CompletableFuture<Task> running = new CompletableFuture<>();

  private final CountDownLatch found = new CountDownLatch(1);

  /** Runs until it is cancelled or the test completes it. */
  private final class Searching implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.of(List.of(RestMethod.POST), "/{path}");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      request.bodyAsMap();
      return switch (String.valueOf(request.param("path"))) {
        case "quick" -> responder -> responder.text(200, "quick");
        case "write" -> RestAction.task(WRITE, this::find);
        default -> RestAction.task(SEARCH, this::find);
      };
    }

    private void find(RestResponder responder) throws InterruptedException {
      Task task = Tasks.current();
      task.onCancel(found::countDown);
      running.complete(task);
      found.await();
      responder.text(200, "slow");
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(RouteServlet.of(routes())), "/");
    server.setHandler(context);
    server.start();
  }

  private RestRoutes routes() {
    InFlightRequests inFlight =
        new InFlightRequests(
            () -> Long.MAX_VALUE,
            () -> 1,
            new ParentBreaker(() -> Long.MAX_VALUE, () -> false, HeapWatch.ofThisProcess()));
    return new RestRoutes(
        List.of(new Searching()),
        new RestFilters(1 << 20, inFlight, new TaskedRequests(new Pools(), tasks, clients)));
  }

  @AfterEach
  void stop() throws Exception {
    found.countDown();
    server.stop();
    tasks.close();
  }

  private Socket send(String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    socket.setSoTimeout(60_000);
    write(socket, path);
    return socket;
  }

  private static void write(Socket socket, String path) throws IOException {
    String request =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    socket.getOutputStream().write(request.getBytes(UTF_8));
    socket.getOutputStream().flush();
  }

  private Task running() throws Exception {
    Task task = running.get(60, TimeUnit.SECONDS);
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ClientConnections.AFTER_MILLIS));
    return task;
  }

  @Test
  void aSearchIsCancelledWhenItsClientHasGone() throws Exception {
    Socket client = send("/search");
    Task task = running();
    clients.look();
    assertThat(task.cancelled()).isFalse();
    client.close();
    // The end of the stream arrives asynchronously.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          clients.look();
          return task.cancelled();
        });
    assertThat(task.cancelled()).isTrue();
  }

  @Test
  void aSearchIsLeftAloneBeforeASecondHasPassed() throws Exception {
    Socket client = send("/search");
    Task task = running.get(60, TimeUnit.SECONDS);
    client.close();
    clients.look();
    assertThat(task.cancelled()).isFalse();
  }

  @Test
  void aWriteIsNotCancelledThoughItsClientHasGone() throws Exception {
    Socket client = send("/write");
    Task task = running();
    client.close();
    clients.look();
    assertThat(task.cancelled()).isFalse();
  }

  @Test
  void aClientThatWaitsGetsItsAnswerAndThatOfTheRequestItHasSentMeanwhile() throws Exception {
    try (Socket client = send("/search");
        BufferedReader answers =
            new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
      Task task = running();
      clients.look();
      write(client, "/quick");
      for (int i = 0; i < 100; i++) {
        clients.look();
      }
      assertThat(task.cancelled()).isFalse();
      found.countDown();
      assertThat(body(answers)).isEqualTo("slow");
      assertThat(body(answers)).isEqualTo("quick");
      write(client, "/quick");
      assertThat(body(answers)).isEqualTo("quick");
    }
  }

  private static String body(BufferedReader answers) throws IOException {
    assertThat(answers.readLine()).isEqualTo("HTTP/1.1 200 OK");
    int length = 0;
    for (String line = answers.readLine(); !line.isEmpty(); line = answers.readLine()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    char[] body = new char[length];
    for (int at = 0; at < length; at++) {
      body[at] = (char) answers.read();
    }
    return new String(body);
  }
}
