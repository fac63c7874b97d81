package io.varve.http.security;

import static io.varve.http.security.TlsService.CLUSTER;
import static io.varve.http.security.TlsService.THINGS;
import static io.varve.http.security.TlsService.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterSecret;
import io.varve.tls.CertificateAuthority;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A service with TLS: its internal endpoints are on a port of their own, which only certificates of
 * the cluster open, each for what its service may call. All other requests do nothing.
 */
@Timeout(300)
class TlsServiceTest {

  private static final String FILES = "/_internal/shards/i/0/files";

  @TempDir static Path folder;
  private static TlsService service;

  private int before;

  @BeforeAll
  static void start() throws Exception {
    service = TlsService.start(folder);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void count() {
    before = service.calls();
  }

  private int effects = 0;

  @AfterEach
  void onlyWhatWasAllowedHadAnEffect() {
    assertThat(service.calls()).isEqualTo(before + effects);
  }

  private static HttpResponse<String> internal(CertificateAuthority.Issued own, String path)
      throws Exception {
    try (HttpClient client = service.client(own)) {
      return get(client, service.internalPort(), path);
    }
  }

  private static HttpResponse<String> internal(ServiceKind kind, String path) throws Exception {
    return internal(service.issue(CLUSTER, kind), path);
  }

  @Test
  void aCoordinatorCallsEverything() throws Exception {
    effects = 2;
    assertThat(internal(ServiceKind.COORDINATOR, THINGS).statusCode()).isEqualTo(200);
    assertThat(internal(ServiceKind.COORDINATOR, FILES).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(
      value = ServiceKind.class,
      names = {"SHARD_SERVICE", "REPLICATION_SERVICE"})
  void aServiceCallsWhatIsItsOwnAndNothingElse(ServiceKind kind) throws Exception {
    effects = 1;
    assertThat(internal(kind, FILES).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = internal(kind, THINGS);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("security_exception", "may not call [GET " + THINGS + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%5Finternal/things",
        "//_internal/things",
        "/_internal//things",
        "/_internal;a=b/things",
        "/_internal/shards/../things",
        "/_internal/shards/i/0/files/../../../../things",
        "/_internal/absent",
      })
  void aPathThatIsWrittenInAnotherWayOpensNothing(String path) throws Exception {
    assertThat(internal(ServiceKind.REPLICATION_SERVICE, path).statusCode()).isBetween(400, 404);
  }

  @Test
  void aMonitorReadsMetricsOnly() throws Exception {
    assertThat(internal(ServiceKind.MONITOR, "/_actuator").statusCode()).isEqualTo(200);
    assertThat(internal(ServiceKind.MONITOR, THINGS).statusCode()).isEqualTo(403);
    assertThat(internal(ServiceKind.MONITOR, FILES).statusCode()).isEqualTo(403);
  }

  @Test
  void aConsumerReadsFilesAndABrokerNothing() throws Exception {
    effects = 1;
    assertThat(internal(ServiceKind.CONSUMER, FILES).statusCode()).isEqualTo(200);
    assertThat(internal(ServiceKind.CONSUMER, THINGS).statusCode()).isEqualTo(403);
    assertThat(internal(ServiceKind.CONSUMER, "/_actuator").statusCode()).isEqualTo(403);
    assertThat(internal(ServiceKind.CONSUMER, "/").statusCode()).isEqualTo(403);
    for (String path : List.of(FILES, THINGS, "/_actuator", "/")) {
      assertThat(internal(ServiceKind.BROKER, path).statusCode()).as(path).isEqualTo(403);
    }
  }

  @Test
  void whatWasRefusedIsTold() throws Exception {
    service.refusals().clear();
    assertThatThrownBy(() -> internal((CertificateAuthority.Issued) null, THINGS))
        .isInstanceOf(IOException.class);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !service.refusals().isEmpty());
    assertThat(service.refusals())
        .allSatisfy(refusal -> {
          assertThat(refusal.remoteAddress()).isEqualTo("127.0.0.1");
          assertThat(refusal.path()).isEmpty();
          assertThat(refusal.reason()).isNotEmpty();
        });

    service.refusals().clear();
    assertThat(internal(ServiceKind.MONITOR, THINGS + "?secret=1").statusCode()).isEqualTo(403);
    assertThat(internal(ServiceKind.BROKER, FILES).statusCode()).isEqualTo(403);
    assertThat(service.refusals())
        .extracting(PeerRefusals.Refusal::path)
        .containsExactly(THINGS, FILES);
  }

  @Test
  void withoutACertificateThereIsNoConnection() {
    assertThatThrownBy(() -> internal((CertificateAuthority.Issued) null, THINGS))
        .isInstanceOf(IOException.class);
  }

  @Test
  void withAnExpiredOneThereIsNoConnection() throws Exception {
    Instant now = Instant.now();
    CertificateAuthority.Issued expired =
        service.issue(
            CLUSTER,
            ServiceKind.COORDINATOR,
            new CertificateAuthority.Validity(
                now.minus(2, ChronoUnit.DAYS), now.minus(1, ChronoUnit.MINUTES)));
    assertThatThrownBy(() -> internal(expired, THINGS)).isInstanceOf(IOException.class);
  }

  @Test
  void withARevokedOneThereIsNoConnection() throws Exception {
    CertificateAuthority.Issued stolen = service.issue(CLUSTER, ServiceKind.COORDINATOR);
    service.revoke(stolen);
    assertThatThrownBy(() -> internal(stolen, THINGS)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> internal(stolen, "/_actuator/health")).isInstanceOf(IOException.class);
  }

  @Test
  void onceItIsRevokedAnOpenConnectionRefusesTheNextRequestAndEnds() throws Exception {
    CertificateAuthority.Issued stolen = service.issue(CLUSTER, ServiceKind.COORDINATOR);
    try (HttpClient client = service.client(stolen);
        HttpClient other = service.client(service.issue(CLUSTER, ServiceKind.COORDINATOR))) {
      assertThat(get(client, service.internalPort(), THINGS).statusCode()).isEqualTo(200);
      assertThat(get(other, service.internalPort(), THINGS).statusCode()).isEqualTo(200);
      service.revoke(stolen);
      HttpResponse<String> refused = get(client, service.internalPort(), THINGS);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("the certificate was revoked");
      assertThat(refused.headers().firstValue("Connection")).contains("close");
      // A resumed session has no check in its handshake.
      assertThat(get(client, service.internalPort(), FILES).statusCode()).isEqualTo(403);
      assertThat(get(other, service.internalPort(), THINGS).statusCode()).isEqualTo(200);
    }
    effects = 3;
  }

  @Test
  void withOneOfAnotherAuthorityThereIsNoConnection() {
    Instant now = Instant.now();
    CertificateAuthority.Validity validity =
        new CertificateAuthority.Validity(
            now.minus(1, ChronoUnit.HOURS), now.plus(1, ChronoUnit.DAYS));
    CertificateAuthority.Issued foreign =
        CertificateAuthority.create(CLUSTER, validity)
            .issue(
                new ProcessIdentity(CLUSTER, ServiceKind.COORDINATOR, "caller"),
                TlsService.HOSTS,
                validity);
    assertThatThrownBy(() -> internal(foreign, THINGS)).isInstanceOf(IOException.class);
  }

  @Test
  void oneOfAnotherClusterIsRefused() throws Exception {
    HttpResponse<String> refused =
        internal(service.issue("films", ServiceKind.COORDINATOR), THINGS);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("of a process of the cluster [films]");
  }

  @Test
  void beforeACertificateEndsItsConnectionIsClosed() throws Exception {
    effects = 2;
    Instant now = Instant.now();
    CertificateAuthority.Issued ending =
        service.issue(
            CLUSTER,
            ServiceKind.COORDINATOR,
            new CertificateAuthority.Validity(
                now.minus(2, ChronoUnit.DAYS), now.plus(50, ChronoUnit.MINUTES)));
    HttpResponse<String> answer = internal(ending, THINGS);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Connection")).contains("close");
    assertThat(internal(ServiceKind.COORDINATOR, THINGS).headers().firstValue("Connection"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        THINGS,
        FILES,
        "/%5Finternal/things",
        "//_internal/things",
        "/_internal;a=b/things",
        "/x/../_internal/things",
        "/_actuator/prometheus",
        "/",
      })
  void thePortOfClientsOpensNoInternalEndpoint(String path) throws Exception {
    CertificateAuthority.Issued coordinator = service.issue(CLUSTER, ServiceKind.COORDINATOR);
    try (HttpClient client = service.client(coordinator)) {
      assertThat(get(client, service.restPort(), path).statusCode()).isBetween(400, 403);
      assertThat(
              get(client, service.restPort(), path, ClusterSecret.HEADER, service.secret())
                  .statusCode())
          .isBetween(400, 403);
    }
  }

  @Test
  void theHealthIsOpenToClientsWithoutACertificate() throws Exception {
    try (HttpClient client = service.client(null)) {
      assertThat(get(client, service.restPort(), "/_actuator/health").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void neitherPortAnswersWithoutTls() throws Exception {
    for (int port : new int[] {service.restPort(), service.internalPort()}) {
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
        plain
            .getOutputStream()
            .write(
                "GET /_actuator/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
            .doesNotContain("200");
      }
    }
  }
}
