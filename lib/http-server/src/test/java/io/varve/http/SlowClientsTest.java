package io.varve.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.stats.NodeReport;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Checks, with a real server and raw sockets, that slow clients occupy resources only for a limited
 * time.
 */
class SlowClientsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MANY = 400;
  private static final int FEW = 10;

  /** The server ends no connection because of its pace, however slow the machine is. */
  private static final String NO_HURRY = "--http.rate-grace=10m";

  private final List<Socket> sockets = new ArrayList<>();
  private ServletWebServerApplicationContext server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ImportAutoConfiguration(JettyServletWebServerAutoConfiguration.class)
  @Import(HttpServerConfiguration.class)
  static class Service {

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    ServletRegistrationBean<Reading> reading() {
      return new ServletRegistrationBean<>(new Reading(), "/*");
    }
  }

  /** POST reads the body and returns its length; GET returns the requested number of bytes. */
  static final class Reading extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        response.getWriter().print(request.getInputStream().readAllBytes().length);
      } catch (IOException e) {
        response.setStatus(SlowClientException.reason(e).isPresent() ? 408 : 400);
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().write(new byte[Integer.parseInt(request.getParameter("bytes"))]);
    }
  }

  private void start(String... properties) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.threads.virtual.enabled=true",
                "--spring.main.banner-mode=off"));
    arguments.addAll(List.of(properties));
    server =
        (ServletWebServerApplicationContext)
            SpringApplication.run(Service.class, arguments.toArray(String[]::new));
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  @Test
  void answersOthersWhileManyRequestsAreHalfSent() throws Exception {
    start(NO_HURRY);
    for (int n = 0; n < MANY; n++) {
      send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{");
    }
    await().atMost(PATIENCE).until(() -> gauge("varve.http.connections") >= MANY);
    assertThat(firstLine(send("GET /?bytes=1 HTTP/1.1\r\nHost: x\r\n\r\n"))).contains("200");
  }

  @Test
  void answers408ToABodyThatDoesNotCome() throws Exception {
    start("--http.rate-grace=1s");
    Socket half = send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{");
    assertThat(firstLine(half)).contains("408");
    assertThat(ended("body")).isEqualTo(1);
  }

  @Test
  void answers408ToABodyThatComesTooSlowly() throws Exception {
    start("--http.rate-grace=1s", "--http.min-rate=1MB");
    Socket slow = send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n");
    await()
        .atMost(PATIENCE)
        .until(() -> {
          slow.getOutputStream().write('x');
          return ended("body") == 1;
        });
    assertThat(firstLine(slow)).contains("408");
  }

  @Test
  void answers408ToABodyThatPausesForLongerThanTheIdleTimeout() throws Exception {
    start("--http.idle-timeout=1s", "--http.min-rate=0B");
    Socket half = send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{");
    assertThat(firstLine(half)).contains("408");
    assertThat(ended("body")).isEqualTo(1);
  }

  @Test
  void closesConnectionsWhoseHeadersDoNotEnd() throws Exception {
    start("--http.header-timeout=1s");
    Socket slow = send("GET /?bytes=1 HTTP/1.1\r\nHost: x\r\n");
    assertThat(isClosed(slow)).isTrue();
    assertThat(ended("headers")).isEqualTo(1);
  }

  @Test
  void closesConnectionsWhoseSecondHeadersDoNotEnd() throws Exception {
    start("--http.header-timeout=1s");
    Socket slow = send("GET /?bytes=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(firstLine(slow)).contains("200");
    slow.getOutputStream().write("GET /?by".getBytes(US_ASCII));
    assertThat(isClosed(slow)).isTrue();
    assertThat(ended("headers")).isEqualTo(1);
  }

  @Test
  void endsAnswersThatAreNotTaken() throws Exception {
    start("--http.rate-grace=1s", "--http.min-rate=100MB");
    send("GET /?bytes=50000000 HTTP/1.1\r\nHost: x\r\n\r\n");
    await().atMost(PATIENCE).until(() -> ended("answer") == 1);
    await().atMost(PATIENCE).until(() -> gauge("varve.http.connections") == 0);
  }

  @Test
  void endsAnswersThatAreNotTakenWithinTheIdleTimeout() throws Exception {
    start("--http.idle-timeout=1s");
    send("GET /?bytes=50000000 HTTP/1.1\r\nHost: x\r\n\r\n");
    await().atMost(PATIENCE).until(() -> ended("answer") == 1);
    await().atMost(PATIENCE).until(() -> gauge("varve.http.connections") == 0);
  }

  @Test
  void refusesConnectionsAboveTheLimit() throws Exception {
    start("--http.max-connections=" + FEW, NO_HURRY);
    for (int n = 0; n < FEW; n++) {
      send("");
    }
    await().atMost(PATIENCE).until(() -> gauge("varve.http.connections") == FEW);
    assertThat(isClosed(send(""))).isTrue();
    assertThat(
            server
                .getBean(MeterRegistry.class)
                .get("varve.http.connections.refused")
                .functionCounter()
                .count())
        .isEqualTo(1);
  }

  /** Connections may be idle for long before all of them are open, so their number varies. */
  @Test
  void takesConnectionsAgainOnceOthersAreIdleForLong() throws Exception {
    start("--http.max-connections=" + FEW, "--http.rate-grace=1s");
    for (int n = 0; n < FEW; n++) {
      send("");
    }
    await().atMost(PATIENCE).until(() -> ended("idle") > 0);
    await()
        .atMost(PATIENCE)
        .until(() -> firstLine(send("GET /?bytes=1 HTTP/1.1\r\nHost: x\r\n\r\n")).contains("200"));
  }

  private double gauge(String name) {
    return server.getBean(MeterRegistry.class).get(name).gauge().value();
  }

  private long ended(String reason) {
    return (long)
        server
            .getBean(MeterRegistry.class)
            .get("varve.http.connections.ended")
            .tag("reason", reason)
            .functionCounter()
            .count();
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getWebServer().getPort());
    sockets.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return socket;
  }

  /** Returns the first line; empty if the connection was closed. */
  private static String firstLine(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
        line.append((char) c);
        c = socket.getInputStream().read();
      }
    } catch (SocketException e) {
      return "";
    }
    return line.toString();
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {}
      return true;
    } catch (SocketException e) {
      return true;
    }
  }
}
