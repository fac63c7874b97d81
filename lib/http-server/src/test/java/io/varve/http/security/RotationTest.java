package io.varve.http.security;

import static io.varve.http.security.TlsService.NODE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.NodeIdentity;
import io.varve.cluster.ProcessCredentials;
import io.varve.process.Pem;
import io.varve.process.RevocationFile;
import io.varve.process.SecretFile;
import io.varve.tls.CertificateAuthority;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** The certificates of a running service change: no request fails, and the new ones are used. */
@Timeout(300)
class RotationTest {

  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir Path folder;

  /** The answers of each load. */
  private final List<AtomicInteger> answered = new CopyOnWriteArrayList<>();

  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  /** The service calls itself with its own credentials, as it would another process. */
  private Callable<Void> load(TlsService service, boolean newConnections) {
    ProcessCredentials credentials = service.context.getBean(ProcessCredentials.class);
    AtomicInteger answers = new AtomicInteger();
    answered.add(answers);
    return () -> {
      HttpClient client = client(credentials);
      while (!ended) {
        if (newConnections) {
          client.close();
          client = client(credentials);
        }
        request(client, service, answers);
      }
      client.close();
      return null;
    };
  }

  private void request(HttpClient client, TlsService service, AtomicInteger answers)
      throws InterruptedException {
    try {
      HttpResponse<String> answer =
          TlsService.get(client, service.internalPort(), "/_internal/shards/i/0/files");
      if (answer.statusCode() == 200) {
        answers.incrementAndGet();
      } else {
        failures.add(answer.statusCode() + " " + answer.body());
      }
    } catch (IOException e) {
      failures.add("after " + answers + " answers: " + e + ", caused by " + e.getCause());
    }
  }

  private interface Change {
    void make(TlsService service) throws Exception;
  }

  /** Makes a change while requests are sent, over one connection and over new ones. */
  private void underLoad(Change change) throws Exception {
    try (TlsService service = TlsService.start(folder);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> kept = threads.submit(load(service, false));
      Future<Void> renewed = threads.submit(load(service, true));
      awaitAnswers(20);
      change.make(service);
      ended = true;
      kept.get();
      renewed.get();
    }
    assertThat(failures).isEmpty();
  }

  private static HttpClient client(ProcessCredentials credentials) {
    return credentials.client(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
  }

  private static BigInteger shownSerial(TlsService service, int port) throws Exception {
    try (HttpClient client = service.client(null)) {
      return ((X509Certificate)
              TlsService.get(client, port, "/_actuator/health")
                  .sslSession()
                  .orElseThrow()
                  .getPeerCertificates()[0])
          .getSerialNumber();
    }
  }

  @Test
  void ofACertificateUnderLoadFailsNoRequest() throws Exception {
    underLoad(service -> {
      for (int i = 0; i < 3; i++) {
        BigInteger old = shownSerial(service, service.restPort());
        service.certificates.rotate(NODE, 30);
        Awaitility.await()
            .atMost(SOON)
            .until(() -> !shownSerial(service, service.restPort()).equals(old));
        awaitAnswers(50);
      }
    });
  }

  @Test
  void ofTheAuthorityUnderLoadFailsNoRequest() throws Exception {
    try (TlsService service = TlsService.start(folder);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> renewed = threads.submit(load(service, true));
      awaitAnswers(20);
      BigInteger old = shownSerial(service, service.restPort());
      int changes = service.context.getBean(InternalConnector.class).reloads();
      service.certificates.rotateAuthority(CertificateFolder.Step.PREPARE, 30);
      awaitReloads(service, changes + 1);
      awaitAnswers(20);
      service.certificates.rotateAuthority(CertificateFolder.Step.SWITCH, 30);
      awaitReloads(service, changes + 2);
      awaitAnswers(20);
      service.certificates.rotateAuthority(CertificateFolder.Step.FINISH, 30);
      awaitReloads(service, changes + 3);
      awaitAnswers(20);
      ended = true;
      renewed.get();
      // The client trusts only the first authority.
      assertThatThrownBy(() -> shownSerial(service, service.restPort())).isNotNull();
      assertThat(old).isNotNull();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aReplacedCertificateIsRevokedUnderLoadWithoutAFailedRequest() throws Exception {
    underLoad(service -> {
      ProcessCredentials credentials = service.context.getBean(ProcessCredentials.class);
      long before = credentials.generation();
      service.certificates.rotate(NODE, 30);
      Awaitility.await().atMost(SOON).until(() -> credentials.generation() > before);
      awaitAnswers(20);

      assertThat(service.certificates.revoke(NODE, true)).hasSize(1);
      RevocationFile known = service.context.getBean(RevocationFile.class);
      Awaitility.await().atMost(SOON).until(() -> known.get().count() == 1);
      awaitAnswers(50);
      assertThat(health(service).getStatus()).isEqualTo(Status.UP);
    });
  }

  /** The serial numbers of the certificates that a call showed: the client's and the server's. */
  private static List<BigInteger> shownSerials(HttpClient client, TlsService service)
      throws Exception {
    SSLSession session =
        TlsService.get(client, service.internalPort(), "/_internal/shards/i/0/files")
            .sslSession()
            .orElseThrow();
    return List.of(serial(session.getLocalCertificates()), serial(session.getPeerCertificates()));
  }

  private static BigInteger serial(Certificate[] chain) {
    return ((X509Certificate) chain[0]).getSerialNumber();
  }

  @Test
  void theVeryNextCallShowsTheNewCertificateOnBothSides() throws Exception {
    try (TlsService service = TlsService.start(folder);
        HttpClient client = client(service.context.getBean(ProcessCredentials.class))) {
      for (int i = 0; i < 5; i++) {
        BigInteger own = own(service).getSerialNumber();
        assertThat(shownSerials(client, service)).containsExactly(own, own);
        service.certificates.rotate(NODE, 30);
      }
    }
  }

  @Test
  void theVeryNextConnectionOfAnotherProcessSeesTheNewCertificate() throws Exception {
    try (TlsService service = TlsService.start(folder)) {
      for (int i = 0; i < 5; i++) {
        for (int port : List.of(service.restPort(), service.internalPort())) {
          service.certificates.rotate(NODE, 30);
          try (HttpClient other =
              service.client(service.issue(TlsService.CLUSTER, ServiceKind.COORDINATOR))) {
            assertThat(
                    serial(
                        TlsService.get(other, port, "/_actuator/health")
                            .sslSession()
                            .orElseThrow()
                            .getPeerCertificates()))
                .isEqualTo(own(service).getSerialNumber());
          }
        }
      }
    }
  }

  @Test
  void theVeryNextCallDoesNotReachAServerWhoseCertificateWasRevoked() throws Exception {
    try (TlsService service = TlsService.start(folder);
        HttpClient client = client(service.context.getBean(ProcessCredentials.class))) {
      assertThat(call(client, service)).isEqualTo(200);
      service.certificates.revoke(NODE, false);
      assertThatThrownBy(() -> call(client, service)).isInstanceOf(IOException.class);
      service.certificates.rotate(NODE, 30);
      assertThat(call(client, service)).isEqualTo(200);
    }
  }

  /** Replaced and revoked in the same breath: this process never shows the revoked one again. */
  @Test
  void aCertificateCanBeRevokedAsSoonAsItIsReplaced() throws Exception {
    underLoad(service -> {
      for (int i = 0; i < 3; i++) {
        service.certificates.rotate(NODE, 30);
        // Requests that began before the change have ended.
        awaitAnswers(2);
        assertThat(service.certificates.revoke(NODE, true)).hasSize(1 + i);
        awaitAnswers(20);
      }
    });
  }

  @Test
  void filesThatCannotBeUsedChangeNothingUntilTheyCan() throws Exception {
    try (TlsService service = TlsService.start(folder);
        HttpClient client = client(service.context.getBean(ProcessCredentials.class))) {
      List<BigInteger> before = shownSerials(client, service);
      Path node = service.certificates.of(NODE).resolve(CertificateFolder.NODE_FILE);
      String usable = Files.readString(node);
      for (String broken : List.of("nothing", "")) {
        SecretFile.write(node, broken);
        assertThat(shownSerials(client, service)).isEqualTo(before);
      }
      Files.delete(node);
      assertThat(shownSerials(client, service)).isEqualTo(before);
      SecretFile.write(node, usable);
      service.certificates.rotate(NODE, 30);
      assertThat(shownSerials(client, service))
          .containsOnly(own(service).getSerialNumber())
          .doesNotContainAnyElementsOf(before);
    }
  }

  private static X509Certificate own(TlsService service) throws IOException {
    return Pem.certificates(
            Files.readString(service.certificates.of(NODE).resolve(CertificateFolder.NODE_FILE)))
        .getFirst();
  }

  private static Health health(TlsService service) {
    return Objects.requireNonNull(
        service.context.getBean("certificates", HealthIndicator.class).health());
  }

  @Test
  void aProcessWhoseOwnCertificateIsRevokedIsDownAndReachesNobodyUntilItHasAnother()
      throws Exception {
    try (TlsService service = TlsService.start(folder)) {
      ProcessCredentials credentials = service.context.getBean(ProcessCredentials.class);
      try (HttpClient client = client(credentials)) {
        assertThat(call(client, service)).isEqualTo(200);
        service.certificates.revoke(NODE, false);
        Awaitility.await()
            .atMost(SOON)
            .until(() -> health(service).getStatus().equals(Status.DOWN));
        assertThatThrownBy(() -> call(client, service)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> TlsService.run(folder, service.certificates, Map.of()))
            .rootCause()
            .hasMessageContaining("was revoked");

        service.certificates.rotate(NODE, 30);
        Awaitility.await().atMost(SOON).until(() -> health(service).getStatus().equals(Status.UP));
        Awaitility.await()
            .atMost(SOON)
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> call(client, service) == 200);
      }
    }
  }

  /** A session that is resumed would show the certificate that it was made with. */
  @Test
  void noSessionOutlivesTheCertificateThatItWasMadeWith() throws Exception {
    try (TlsService service = TlsService.start(folder)) {
      ProcessCredentials credentials = service.context.getBean(ProcessCredentials.class);
      try (HttpClient client = client(credentials)) {
        assertThat(call(client, service)).isEqualTo(200);
      }
      assertThat(sessions(credentials)).isNotEmpty();
      long before = credentials.generation();
      service.certificates.rotate(NODE, 30);
      Awaitility.await().atMost(SOON).until(() -> credentials.generation() > before);
      assertThat(sessions(credentials)).isEmpty();
    }
  }

  /** The ids of the sessions that new connections may resume. */
  private static List<byte[]> sessions(ProcessCredentials credentials) {
    return Collections.list(credentials.tls().orElseThrow().getClientSessionContext().getIds());
  }

  private static int call(HttpClient client, TlsService service) throws Exception {
    return TlsService.get(client, service.internalPort(), "/_internal/shards/i/0/files")
        .statusCode();
  }

  @Test
  void aListThatIsRefusedIsShownByTheHealthAndTheOneBeforeStaysInUse() throws Exception {
    try (TlsService service = TlsService.start(folder)) {
      CertificateAuthority.Issued stolen =
          service.issue(TlsService.CLUSTER, ServiceKind.COORDINATOR);
      service.revoke(stolen);
      SecretFile.write(
          service.certificates.of(NODE).resolve(CertificateFolder.REVOCATIONS_FILE), "nothing");
      Awaitility.await()
          .atMost(SOON)
          .until(() -> health(service).getDetails().containsKey("revocations_refused"));
      assertThat(health(service).getStatus()).isEqualTo(Status.UP);
      assertThat(service.context.getBean(RevocationFile.class).get().revokes(stolen.certificate()))
          .isTrue();
    }
  }

  private static void awaitReloads(TlsService service, int count) {
    Awaitility.await()
        .atMost(SOON)
        .until(() -> service.context.getBean(InternalConnector.class).reloads() >= count);
  }

  /** Of each load: so no request is under way any more that began before. */
  private void awaitAnswers(int more) {
    List<Integer> enough = answered.stream().map(answers -> answers.get() + more).toList();
    Awaitility.await()
        .atMost(SOON)
        .until(() ->
            !failures.isEmpty()
                || IntStream.range(0, enough.size())
                    .allMatch(load -> answered.get(load).get() >= enough.get(load)));
  }

  @Test
  void aServiceDoesNotStartWithTheCertificateOfAnotherNodeOrCluster() throws Exception {
    CertificateFolder certificates = TlsService.certificates(folder.resolve("security"));
    NodeIdentity.requireId(folder.resolve("data"), "another");
    assertThatThrownBy(() -> TlsService.run(folder, certificates, Map.of()))
        .rootCause()
        .hasMessageContaining("is the folder of the node [another]");
    assertThatThrownBy(
            () -> TlsService.run(folder, certificates, Map.of("varve.cluster-name", "films")))
        .rootCause()
        .hasMessageContaining("for a process of the cluster [books]");
  }

  @Test
  void aServiceDoesNotStartWithAKeyThatOthersCanRead() throws Exception {
    CertificateFolder certificates = TlsService.certificates(folder.resolve("security"));
    Files.setPosixFilePermissions(
        certificates.of(NODE).resolve(CertificateFolder.NODE_FILE),
        PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> TlsService.run(folder, certificates, Map.of()))
        .rootCause()
        .hasMessageContaining("chmod 600");
  }
}
