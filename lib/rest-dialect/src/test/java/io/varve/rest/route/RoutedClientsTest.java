package io.varve.rest.route;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.ServiceDefaults;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import io.varve.rest.InFlightRequests;
import io.varve.rest.RequestRunner;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Routes as in a service, and clients that are slow, disconnect, or accept gzip. */
class RoutedClientsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int LARGE = 50_000_000;

  private ServletWebServerApplicationContext server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ServiceAutoConfiguration
  @Import(HttpServerConfiguration.class)
  static class Service {

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    InFlightRequests inFlight() {
      return new InFlightRequests(
          () -> Long.MAX_VALUE,
          () -> 1,
          new ParentBreaker(() -> Long.MAX_VALUE, () -> false, HeapWatch.ofThisProcess()));
    }

    @Bean
    RestRoutes routes(InFlightRequests inFlight) {
      return new RestRoutes(
          List.of(new Texts()), new RestFilters(LARGE, inFlight, new Uncounted()));
    }
  }

  /** Responds with a text of the requested length. */
  private static final class Texts implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.of(List.of(RestMethod.GET, RestMethod.PUT), "/{index}/{length}");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      request.param("index");
      int length = Integer.parseInt(String.valueOf(request.param("length")));
      return responder -> responder.text(200, "x".repeat(length));
    }
  }

  private static final class Uncounted implements RequestRunner {

    @Override
    public void count(String kindOfWork, Action request) throws InterruptedException {
      request.run();
    }

    @Override
    public void runTask(TaskKind task, HttpServletRequest http, Action action)
        throws InterruptedException {
      action.run();
    }
  }

  private void start(String... properties) {
    server =
        (ServletWebServerApplicationContext)
            ServiceDefaults.application(Service.class, Map.of("server.port", "0")).run(properties);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket send(String line, String... headers) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getWebServer().getPort());
    client.setSoTimeout((int) PATIENCE.toMillis());
    String head = line + " HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    client.getOutputStream().write(head.getBytes(US_ASCII));
    return client;
  }

  /** Reads the headers of a response and leaves the stream at its body. */
  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return head.toString(US_ASCII);
      }
      head.write(next);
    }
    return head.toString(US_ASCII);
  }

  @Test
  void aBodyThatDoesNotComeGets408InTheFormOfTheDialect() throws IOException {
    start("--http.rate-grace=1s");
    try (Socket half =
        send("PUT /slow/1", "Content-Type: application/json", "Content-Length: 500")) {
      String response = new String(half.getInputStream().readAllBytes(), UTF_8);
      assertThat(response)
          .startsWith("HTTP/1.1 408 ")
          .contains("\"type\":\"timeout_exception\"")
          .endsWith("\"status\":408}");
    }
    awaitObserved("/{index}/{length}", "408");
  }

  @Test
  void aBodyThatIsCutOffGivesItsMemoryBack() throws IOException {
    start();
    Socket half = send("PUT /cut/1", "Content-Type: application/json", "Content-Length: 400000");
    half.getOutputStream().write(new byte[100_000]);
    await().atMost(PATIENCE).until(() -> heldBytes() > 0);
    half.close();

    await().atMost(PATIENCE).until(() -> heldBytes() == 0);
  }

  @Test
  void aClientThatAcceptsGzipGetsIt() throws IOException {
    start();
    try (Socket client =
        send("GET /a/100000", "Accept-Encoding: deflate, gzip;q=0.5", "Connection: close")) {
      InputStream in = client.getInputStream();
      assertThat(head(in)).startsWith("HTTP/1.1 200 ").contains("\r\nContent-Encoding: gzip\r\n");
      byte[] packed = in.readAllBytes();
      assertThat(packed).hasSizeLessThan(10_000);
      byte[] text = new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
      assertThat(text).hasSize(100_000).containsOnly('x');
    }
  }

  @Test
  void aClientThatDoesNotAcceptGzipGetsThePlainText() throws IOException {
    start();
    try (Socket client = send("GET /a/100000", "Accept-Encoding: gzip;q=0", "Connection: close")) {
      InputStream in = client.getInputStream();
      assertThat(head(in)).contains("\r\nContent-Length: 100000\r\n").doesNotContain("gzip");
      assertThat(in.readAllBytes()).hasSize(100_000);
    }
  }

  @Test
  void aResponseThatIsNotTakenEndsItsConnection() throws IOException {
    start("--http.rate-grace=1s", "--http.min-rate=100MB");
    double before = endedAnswers();
    try (Socket client = send("GET /a/" + LARGE)) {
      await().atMost(PATIENCE).until(() -> endedAnswers() > before);
      assertThat(client.isConnected()).isTrue();
    }
  }

  @Test
  void othersAreServedAfterAClientHasGoneAwayWhileItReceives() throws IOException {
    start();
    try (Socket client = send("GET /a/" + LARGE)) {
      client.setSoLinger(true, 0);
      assertThat(client.getInputStream().read()).isEqualTo('H');
    }
    try (Socket client = send("GET /a/1", "Connection: close")) {
      assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("\r\n\r\nx");
    }
    await()
        .atMost(PATIENCE)
        .until(() ->
            server.getBean(MeterRegistry.class).get("varve.http.connections").gauge().value() == 0);
  }

  private long heldBytes() {
    Map<?, ?> held =
        (Map<?, ?>) server.getBean(InFlightRequests.class).stats().get("in_flight_requests");
    return ((Number) held.get("estimated_size_in_bytes")).longValue();
  }

  private double endedAnswers() {
    return server
        .getBean(MeterRegistry.class)
        .get("varve.http.connections.ended")
        .tag("reason", "answer")
        .functionCounter()
        .count();
  }

  private void awaitObserved(String uri, String status) {
    MeterRegistry meters = server.getBean(MeterRegistry.class);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    meters
                        .find("http.server.requests")
                        .tag("uri", uri)
                        .tag("status", status)
                        .timers())
                .isNotEmpty());
  }
}
