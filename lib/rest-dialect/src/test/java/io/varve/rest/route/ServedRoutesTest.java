package io.varve.rest.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import io.varve.rest.UnreadableRequests;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Routes as in a service, behind Jetty and Spring's dispatcher; clients are raw sockets. */
class ServedRoutesTest {

  private static final long MAX_BYTES = 128L << 20;

  private static ServletWebServerApplicationContext server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ServiceAutoConfiguration
  @Import(HttpServerConfiguration.class)
  static class Service {

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> anyPath(MeterRegistry meters) {
      UnreadableRequests unreadable = new UnreadableRequests();
      unreadable.register(meters);
      return factory -> factory.addServerCustomizers(new AnyPath(unreadable));
    }

    @Bean
    RestRoutes routes() {
      ParentBreaker breaker =
          new ParentBreaker(() -> Long.MAX_VALUE, () -> false, HeapWatch.ofThisProcess());
      InFlightRequests inFlight = new InFlightRequests(() -> Long.MAX_VALUE, () -> 1, breaker);
      return new RestRoutes(
          List.of(new Echo()), new RestFilters(MAX_BYTES, inFlight, new Uncounted()));
    }
  }

  /** Returns the request that it received. */
  private static final class Echo implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.of(
          List.of(RestMethod.GET, RestMethod.HEAD, RestMethod.PUT),
          "/{index}",
          "/{index}/_doc/{id}");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      Map<String, Object> seen = new LinkedHashMap<>();
      seen.put("index", String.valueOf(request.param("index")));
      seen.put("id", String.valueOf(request.param("id")));
      seen.put("path", request.path());
      seen.put("bytes", request.body().length);
      return responder -> {
        seen.put("virtual", Thread.currentThread().isVirtual());
        responder.json(200, seen);
      };
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

  @BeforeAll
  static void start() {
    server =
        (ServletWebServerApplicationContext)
            ServiceDefaults.application(Service.class, Map.of("server.port", "0")).run();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String call(String line, String... headers) throws IOException {
    return call(line, new byte[0], headers);
  }

  /** Sends a request and returns the whole response as received. */
  private static String call(String line, byte[] body, String... headers) throws IOException {
    try (Socket client =
        new Socket(InetAddress.getLoopbackAddress(), server.getWebServer().getPort())) {
      client.setSoTimeout(60_000);
      StringBuilder head =
          new StringBuilder(line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
      for (String header : headers) {
        head.append(header).append("\r\n");
      }
      if (body.length > 0 && Arrays.stream(headers).noneMatch(h -> h.endsWith("chunked"))) {
        head.append("Content-Length: ").append(body.length).append("\r\n");
      }
      OutputStream out = client.getOutputStream();
      out.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
      out.write(body);
      out.flush();
      return new String(client.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/a/_doc/x%2Fy, a, x/y",
    "/a/_doc/x%252Fy, a, x%2Fy",
    "/a/_doc/x+y, a, x+y",
    "/a/_doc/x;y=z, a, x;y=z",
    "/a;b/_doc/x, a;b, x",
    "/a/_doc/.., a, ..",
    "/a/_doc/%2e, a, .",
    "/a/_doc/x/, a, x",
    "//a//_doc//x, a, x",
    "/%3Clogs-%7Bnow%2Fd%7D%3E/_doc/%C3%A9, <logs-{now/d}>, \u00e9",
    "/error, error, null",
    "/favicon.ico, favicon.ico, null",
    "//_console/, _console, null",
    "/%5Fconsole/, _console, null",
  })
  void everyPathReachesItsEndpointUndamaged(String path, String index, String id)
      throws IOException {
    assertThat(call("GET " + path))
        .startsWith("HTTP/1.1 200 ")
        .contains("{\"index\":\"" + index + "\",\"id\":\"" + id + "\",\"path\":\"" + path + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b/c/d",
    "/a/../a",
    "//_actuator/health",
    "/%5Factuator/health",
    "/_actuator;x/health",
    "/x/../_actuator/health",
    "//_internal/node",
  })
  void aPathWithoutRouteGetsTheTextOfTheDialect(String path) throws IOException {
    assertThat(call("GET " + path))
        .startsWith("HTTP/1.1 400 ")
        .endsWith("{\"error\":\"no handler found for uri [" + path + "] and method [GET]\"}");
  }

  @Test
  void anEscapeThatSpringCanNotParseGetsTheTextOfTheDialect() throws IOException {
    assertThat(call("GET /a/_doc/%u0041"))
        .startsWith("HTTP/1.1 400 ")
        .contains("unterminated escape sequence in [%u0041]");
  }

  @Test
  void headersLongerThanTheirLimitAreRefused() throws IOException {
    assertThat(call("GET /a", "X-Long: " + "x".repeat(15_000))).startsWith("HTTP/1.1 200 ");
    assertThat(call("GET /a", "X-Long: " + "x".repeat(16_400)))
        .startsWith("HTTP/1.1 431 ")
        .contains("Content-Type: application/json")
        .contains("\"type\":\"too_long_http_header_exception\"")
        .contains("the headers exceed [http.max-header-size]")
        .endsWith(",\"status\":431}");
  }

  @Test
  void aPathLongerThanTheLimitIsRefused() throws IOException {
    assertThat(call("GET /" + "a".repeat(16_400)))
        .startsWith("HTTP/1.1 414 ")
        .contains("\"type\":\"too_long_http_line_exception\"")
        .endsWith(",\"status\":414}");
  }

  @ParameterizedTest
  @CsvSource({
    "431, GET /a, X-Long: , 16400",
    "414, GET /, , 16400",
    "400, GET /a%zz, X-Short: , 1",
  })
  void unreadableRequestsAreCountedByTheirStatus(
      String status, String line, @Nullable String header, int characters) throws IOException {
    double before = unreadable(status);
    String text = "a".repeat(characters);
    String answer = header == null ? call(line + text) : call(line, header + text);
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(unreadable(status)).isEqualTo(before + 1);
  }

  private static double unreadable(String status) {
    return server
        .getBean(MeterRegistry.class)
        .get("varve.http.requests.unreadable")
        .tag("status", status)
        .functionCounter()
        .count();
  }

  @ParameterizedTest
  @CsvSource({"POST", "PATCH", "TRACE", "DELETE", "FOO"})
  void otherMethodsAreRefusedWithThoseThatAreAllowed(String method) throws IOException {
    assertThat(call(method + " /a?x=y"))
        .startsWith("HTTP/1.1 405 ")
        .contains("\r\nAllow: GET,HEAD,PUT\r\n")
        .endsWith(
            "{\"error\":\"Incorrect HTTP method for uri [/a?x=y] and method ["
                + method
                + "], allowed: [GET, HEAD, PUT]\",\"status\":405}");
  }

  @Test
  void optionsNameTheMethodsToAPreflightRequestToo() throws IOException {
    assertThat(call("OPTIONS /a", "Origin: http://y", "Access-Control-Request-Method: PUT"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nAllow: GET,HEAD,PUT\r\n")
        .doesNotContain("Access-Control");
    assertThat(call("OPTIONS /a/b/c")).startsWith("HTTP/1.1 200 ").contains("\r\nAllow: GET\r\n");
  }

  @Test
  void headHasTheLengthAndNoBody() throws IOException {
    assertThat(call("HEAD /a"))
        .startsWith("HTTP/1.1 200 ")
        .containsPattern("Content-Length: [1-9]")
        .endsWith("\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
  })
  void noBodyIsReadAsAForm(String type) throws IOException {
    assertThat(call("PUT /a", "_method=GET&index=b".getBytes(UTF_8), "Content-Type: " + type))
        .startsWith("HTTP/1.1 406 ")
        .contains("Content-Type header [" + type + "] is not supported");
  }

  @Test
  void aRequestRunsOnAVirtualThread() throws IOException {
    assertThat(call("GET /a")).contains("\"virtual\":true");
  }

  @Test
  void aBodyOf100MegabytesIsRead() throws IOException {
    byte[] body = new byte[100 << 20];
    Arrays.fill(body, (byte) ' ');

    assertThat(call("PUT /a", body, "Content-Type: application/json"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\"bytes\":" + body.length);
  }

  @Test
  void aBodyInChunksIsRead() throws IOException {
    assertThat(
            call(
                "PUT /a",
                "3\r\n{} \r\n0\r\n\r\n".getBytes(UTF_8),
                "Content-Type: application/json",
                "Transfer-Encoding: chunked"))
        .contains("\"bytes\":3");
  }

  @Test
  void aCompressedBodyIsUnpacked() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[5000]);
    }

    assertThat(
            call(
                "PUT /a",
                packed.toByteArray(),
                "Content-Type: application/json",
                "Content-Encoding: gzip"))
        .contains("\"bytes\":5000");
  }

  @Test
  void metricsTellRequestsApartByTemplate() throws IOException {
    call("GET /a/_doc/1");
    call("GET /a/b/c/d");

    MeterRegistry meters = server.getBean(MeterRegistry.class);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          assertThat(requests(meters, "/{index}/_doc/{id}", "200")).isPositive();
          assertThat(requests(meters, "UNKNOWN", "400")).isPositive();
        });
  }

  private static long requests(MeterRegistry meters, String uri, String status) {
    return meters
        .get("http.server.requests")
        .tag("uri", uri)
        .tag("status", status)
        .timers()
        .stream()
        .mapToLong(timer -> timer.count())
        .sum();
  }
}
