package io.varve.http.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.ServiceDefaults;
import io.varve.rpc.ApiException;
import io.varve.rpc.SearchCallHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Internal routes as in a service, behind Jetty; clients are raw sockets. */
class InternalRoutesTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String PREFIX = "/_internal/things";
  private static final int CHUNK = 64 << 10;
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  private static ServletWebServerApplicationContext server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ServiceAutoConfiguration
  @Import({HttpServerConfiguration.class, InternalRoutingConfiguration.class})
  static class Service {

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    InternalEndpoints things() {
      return new InternalEndpoints(
          PREFIX,
          List.of(
              InternalRoute.json(PREFIX, "things", () -> List.of("a", "b")),
              new InternalRoute("GET", PREFIX + "/{id}", "thing", InternalRoutesTest::sendId),
              new InternalRoute("POST", PREFIX + "/{id}", "put-thing", InternalRoutesTest::length),
              new InternalRoute("POST", PREFIX + "/{id}/fail", "fail", InternalRoutesTest::fail),
              new InternalRoute(
                  "GET", PREFIX + "/{id}/stream", "stream", InternalRoutesTest::stream),
              new InternalRoute(
                  "GET", PREFIX + "/{id}/endless", "endless", InternalRoutesTest::write),
              new InternalRoute("GET", PREFIX + "/{id}/cut", "cut", InternalRoutesTest::cut)));
    }
  }

  private static void sendId(InternalCall call) throws IOException {
    Bodies.sendJson(call.response(), Map.of("id", call.requiredVariable("id")));
  }

  private static void length(InternalCall call) throws IOException {
    Bodies.sendJson(call.response(), Bodies.read(call.request()).length);
  }

  private static void fail(InternalCall call) throws IOException, InterruptedException {
    call.response().setHeader(SearchCallHeaders.LOAD, "7");
    call.response().setHeader("ETag", "x");
    switch (call.requiredVariable("id")) {
      case "api" -> throw new ApiException(409, "stale_primary_exception", "another");
      case "argument" -> throw new IllegalArgumentException("no number");
      case "interrupted" -> throw new InterruptedException();
      case "deep" -> throw new StackOverflowError();
      default -> throw new IllegalStateException("broken");
    }
  }

  private static void stream(InternalCall call) throws IOException {
    for (int n = 0; n < 100; n++) {
      call.response().getOutputStream().write(new byte[CHUNK]);
    }
  }

  /** Writes until its client has disconnected. */
  private static void write(InternalCall call) throws IOException {
    while (true) {
      call.response().getOutputStream().write(new byte[CHUNK]);
    }
  }

  private static void cut(InternalCall call) throws IOException {
    stream(call);
    throw new UncheckedIOException(new IOException("the file ended"));
  }

  @BeforeAll
  static void start() {
    server =
        (ServletWebServerApplicationContext)
            ServiceDefaults.application(
                    Service.class, Map.of("server.port", "0", "http.rate-grace", "1s"))
                .run();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Socket send(String text) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getWebServer().getPort());
    client.setSoTimeout((int) PATIENCE.toMillis());
    client.getOutputStream().write(text.getBytes(US_ASCII));
    return client;
  }

  /** Sends a request and returns the whole response as received. */
  private static String call(String line) throws IOException {
    try (Socket client =
        send(line + " HTTP/1.1\r\nHost: x\r\nSecret: s\r\nConnection: close\r\n\r\n")) {
      return new String(client.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  void aRouteAnswersWithItsVariablesDecoded() throws IOException {
    assertThat(call("GET " + PREFIX))
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Type: application/json\r\n", "\r\nContent-Length: 9\r\n")
        .endsWith("\r\n\r\n[\"a\",\"b\"]");
    assertThat(call("GET " + PREFIX + "/x%20y")).endsWith("{\"id\":\"x y\"}");
  }

  @ParameterizedTest
  @CsvSource({"GET, /a/b/c", "DELETE, /a", "POST, ''", "TRACE, /a", "OPTIONS, /a"})
  void aPathOrMethodWithoutRouteGets404(String method, String path) throws IOException {
    assertThat(call(method + " " + PREFIX + path))
        .startsWith("HTTP/1.1 404 ")
        .doesNotContain("Secret")
        .endsWith(
            "{\"error\":{\"type\":\"resource_not_found_exception\",\"reason\":\"no endpoint at ["
                + method
                + " "
                + PREFIX
                + path
                + "]\"},\"status\":404}");
  }

  @ParameterizedTest
  @CsvSource({
    "api, 409, stale_primary_exception, another",
    "argument, 400, illegal_argument_exception, no number",
    "interrupted, 503, node_closed_exception, the node is closing",
    "deep, 400, illegal_argument_exception, The request is nested too deeply",
    "other, 500, internal_server_error, java.lang.IllegalStateException: broken",
  })
  void aFailureBecomesAResponseThatKeepsOnlyTheLoad(
      String failure, int status, String type, String reason) throws IOException {
    assertThat(call("POST " + PREFIX + "/" + failure + "/fail"))
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\r\n" + SearchCallHeaders.LOAD + ": 7\r\n")
        .doesNotContain("ETag")
        .contains("\"type\":\"" + type + "\"", "\"reason\":\"" + reason + "\"")
        .endsWith("\"status\":" + status + "}");
  }

  @Test
  void aStreamIsSentInChunksToItsEnd() throws IOException {
    assertThat(chunks(PREFIX + "/a/stream"))
        .startsWith("HTTP/1.1 200 ")
        .hasSizeGreaterThan(100 * CHUNK)
        .endsWith(LAST_CHUNK);
  }

  @Test
  void aStreamThatFailsIsCutOff() throws IOException {
    assertThat(chunks(PREFIX + "/a/cut")).startsWith("HTTP/1.1 200 ").doesNotEndWith(LAST_CHUNK);
  }

  /** Reads up to the last chunk, or to the end of a connection that is closed before that. */
  private static String chunks(String path) throws IOException {
    try (Socket client = send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")) {
      ByteArrayOutputStream received = new ByteArrayOutputStream();
      byte[] buffer = new byte[CHUNK];
      String end = "";
      for (int n = client.getInputStream().read(buffer); n >= 0; ) {
        received.write(buffer, 0, n);
        String last = end + new String(buffer, 0, n, ISO_8859_1);
        end = last.substring(Math.max(0, last.length() - LAST_CHUNK.length()));
        n = end.equals(LAST_CHUNK) ? -1 : client.getInputStream().read(buffer);
      }
      return received.toString(ISO_8859_1);
    }
  }

  @Test
  void aBodyThatDoesNotComeGets408() throws IOException {
    try (Socket half =
        send("POST " + PREFIX + "/a HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{")) {
      assertThat(new String(half.getInputStream().readNBytes(12), US_ASCII))
          .isEqualTo("HTTP/1.1 408");
    }
  }

  @Test
  void aClientThatGoesAwayWhileItSendsEndsItsRequest() throws IOException {
    send("POST " + PREFIX + "/a HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{").close();

    awaitCount("varve.http", "endpoint", "put-thing");
  }

  @Test
  void aClientThatGoesAwayWhileItReceivesEndsItsRequest() throws IOException {
    try (Socket client = send("GET " + PREFIX + "/a/endless HTTP/1.1\r\nHost: x\r\n\r\n")) {
      client.setSoLinger(true, 0);
      assertThat(client.getInputStream().read()).isEqualTo('H');
    }

    awaitCount("varve.http", "endpoint", "endless");
  }

  @Test
  void metricsTellRequestsApartByNameAndByTemplate() throws IOException {
    call("GET " + PREFIX + "/a");
    call("GET " + PREFIX + "/a/b/c");

    awaitCount("varve.http", "endpoint", "thing");
    awaitCount("varve.http", "endpoint", "unknown");
    awaitCount("http.server.requests", "uri", PREFIX + "/{id}");
  }

  private static void awaitCount(String timer, String tag, String value) {
    MeterRegistry meters = server.getBean(MeterRegistry.class);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(meters.find(timer).tag(tag, value).timers())
                .isNotEmpty()
                .anyMatch(one -> one.count() > 0));
  }

  @Test
  void aTemplateOutsideOfThePrefixIsRefused() {
    InternalRoute route = InternalRoute.json("/_internal/thingsandmore", "more", List::of);

    assertThatThrownBy(() -> new InternalEndpoints(PREFIX, List.of(route)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[/_internal/thingsandmore] is not below [/_internal/things]");
  }
}
