package io.varve.http.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSecret;
import io.varve.cluster.stats.NodeReport;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.ServiceDefaults;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.http.internal.InternalRoutingConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A service whose internal endpoints need the secret, however a path is written. */
class SecuredServiceTest {

  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final AtomicInteger CALLS = new AtomicInteger();

  @TempDir static Path folder;
  private static ServletWebServerApplicationContext server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ServiceAutoConfiguration
  @Import({
    HttpServerConfiguration.class,
    InternalRoutingConfiguration.class,
    NodeSecurityConfiguration.class
  })
  static class Service {

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    InternalEndpoints endpoints() {
      return new InternalEndpoints(
          "/_internal/things",
          List.of(InternalRoute.json("/_internal/things", "things", CALLS::incrementAndGet)));
    }
  }

  @BeforeAll
  static void start() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), SECRET);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    server =
        (ServletWebServerApplicationContext)
            ServiceDefaults.application(
                    Service.class,
                    Map.of(
                        "server.port", "0",
                        "varve.security.enabled", "true",
                        "varve.security.cluster-secret-file", file.toString()))
                .run();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String call(String path, String header) throws IOException {
    try (Socket client =
        new Socket(InetAddress.getLoopbackAddress(), server.getWebServer().getPort())) {
      client
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + header + "Connection: close\r\n\r\n")
                  .getBytes(US_ASCII));
      return new String(client.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_internal/things",
        "/%5Finternal/things",
        "//_internal/things",
        "/_internal//things",
        "/_internal;a=b/things",
        "/x/../_internal/things",
        "/_internal/absent",
        "/_actuator/prometheus",
        "/",
      })
  void aRequestWithoutTheSecretIsRefusedAndDoesNothing(String path) throws IOException {
    int before = CALLS.get();

    assertThat(call(path, "")).startsWith("HTTP/1.1 4").doesNotContain("HTTP/1.1 404");
    assertThat(call(path, ClusterSecret.HEADER + ": " + SECRET + "x\r\n"))
        .startsWith("HTTP/1.1 4")
        .doesNotContain("HTTP/1.1 404");
    assertThat(CALLS.get()).isEqualTo(before);
  }

  @Test
  void theSecretOpensIt() throws IOException {
    assertThat(call("/_internal/things", ClusterSecret.HEADER + ": " + SECRET + "\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void theHealthIsOpen() throws IOException {
    assertThat(call("/_actuator/health", "")).startsWith("HTTP/1.1 200");
  }
}
