package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.process.Pem;
import io.varve.tls.CertificateAuthority;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the ports between processes of a standalone, with certificates of their own.
 *
 * @param folder of the data of the standalone
 * @param clock from which certificates count their validity; that of the standalone
 */
record StrangeProcesses(Path folder, InstantSource clock) {

  /** Services that may call some of the operations, and none of the others. */
  private static final List<ServiceKind> SOME_OF_WHOSE_CALLS_ARE_REFUSED =
      List.of(
          ServiceKind.CONSUMER,
          ServiceKind.CCR_FOLLOWER,
          ServiceKind.SHARD_SERVICE,
          ServiceKind.REPLICATION_SERVICE);

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  static StrangeProcesses of(Path folder) {
    return new StrangeProcesses(folder, InstantSource.system());
  }

  /**
   * Each operation of each process, with each kind of certificate that does not open it. A
   * certificate that the handshake refuses never reaches an operation, so one request to each port
   * is enough.
   */
  void areRefused(Standalone standalone, RestCalls root) throws Exception {
    CertificateAuthority own = certificates().authority();
    Instant now = clock.instant();
    CertificateAuthority other =
        CertificateAuthority.create(
            "varve",
            new CertificateAuthority.Validity(
                now.minus(Duration.ofHours(2)), now.plus(Duration.ofDays(1))));
    Duration day = Duration.ofDays(1);
    List<InternalInventory.Operation> operations =
        InternalInventory.of(standalone, indexUuid(root));
    assertThat(operations).hasSizeGreaterThan(100);
    String before = world(root);
    CertificateAuthority.Issued stolen = issued(own, "varve", ServiceKind.COORDINATOR, day);
    areRefused(operations, stolen, true);
    for (CertificateAuthority.Issued stranger :
        List.of(
            issued(own, "films", ServiceKind.COORDINATOR, day),
            issued(own, "varve", ServiceKind.MONITOR, day),
            issued(own, "varve", ServiceKind.BROKER, day))) {
      areRefused(operations, stranger, false);
    }
    doesNotConnect(operations, null);
    doesNotConnect(operations, issued(other, "varve", ServiceKind.COORDINATOR, day));
    doesNotConnect(
        operations, issued(own, "varve", ServiceKind.COORDINATOR, Duration.ofMinutes(-1)));
    for (ServiceKind service : SOME_OF_WHOSE_CALLS_ARE_REFUSED) {
      List<InternalInventory.Operation> others =
          operations.stream().filter(operation -> !operation.isFor(service)).toList();
      assertThat(others).as("%s", service).hasSizeGreaterThan(50);
      areRefused(others, issued(own, "varve", service, day), false);
    }
    assertThat(world(root)).isEqualTo(before);
  }

  private static Set<Integer> ports(List<InternalInventory.Operation> operations) {
    return operations.stream()
        .map(InternalInventory.Operation::port)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void doesNotConnect(
      List<InternalInventory.Operation> operations,
      CertificateAuthority.@Nullable Issued certificate)
      throws Exception {
    try (HttpClient stranger = client(certificate)) {
      for (int port : ports(operations)) {
        assertThatThrownBy(() -> send(stranger, port, "GET", "/_actuator/health", ""))
            .as("port %d with the certificate of %s", port, certificate)
            .isInstanceOf(IOException.class);
      }
    }
  }

  /**
   * @param revoke whether the certificate is revoked after a connection was opened with it
   */
  private void areRefused(
      List<InternalInventory.Operation> operations,
      CertificateAuthority.Issued certificate,
      boolean revoke)
      throws Exception {
    try (HttpClient stranger = client(certificate)) {
      if (revoke) {
        Set<Integer> ports = ports(operations);
        for (int port : ports) {
          assertThat(send(stranger, port, "GET", "/_actuator/health", "").statusCode())
              .isEqualTo(200);
        }
        var _ =
            certificates().revoke(certificate.certificate().getSerialNumber().toString(16), false);
        for (int port : ports) {
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> refuses(stranger, port, "GET", "/_actuator/health"));
        }
      }
      for (InternalInventory.Operation one : operations) {
        assertThat(refuses(stranger, one.port(), one.method(), one.path()))
            .as("%s with the certificate of %s", one, certificate)
            .isTrue();
      }
    }
  }

  /** With 403, or in the handshake. */
  private static boolean refuses(HttpClient client, int port, String method, String path)
      throws InterruptedException {
    try {
      HttpResponse<String> response =
          send(client, port, method, path, method.equals("GET") ? "" : "{}");
      return response.statusCode() == 403 && response.body().contains("security_exception");
    } catch (IOException e) {
      return true;
    }
  }

  private static String world(RestCalls root) throws IOException {
    return root.get("/_cluster/state/version,metadata,nodes,routing_table").orThrow().text()
        + root.get("/books/_count").orThrow().text()
        + root.get("/_plugins/_security/api/internalusers").orThrow().text();
  }

  private static String indexUuid(RestCalls root) throws IOException {
    return root.get("/_cluster/state")
        .orThrow()
        .json()
        .at("/metadata/indices/books/settings/index/uuid")
        .asString();
  }

  private CertificateFolder certificates() {
    return new CertificateFolder(folder.resolve("security"), clock);
  }

  private CertificateAuthority.Issued issued(
      CertificateAuthority authority, String cluster, ServiceKind service, Duration left) {
    Instant now = clock.instant();
    return authority.issue(
        new ProcessIdentity(cluster, service, "caller"),
        List.of("127.0.0.1"),
        new CertificateAuthority.Validity(now.minus(Duration.ofHours(1)), now.plus(left)));
  }

  /** A client with a certificate of the cluster for a process of this kind. */
  HttpClient client(ServiceKind service) throws Exception {
    return client(issued(certificates().authority(), "varve", service, Duration.ofDays(1)));
  }

  /** A client with the key of a process of the standalone. */
  HttpClient member(String name) throws Exception {
    String pem = Files.readString(certificates().of(name).resolve(CertificateFolder.NODE_FILE));
    return client(Pem.key(pem), Pem.certificates(pem).toArray(Certificate[]::new));
  }

  private HttpClient client(CertificateAuthority.@Nullable Issued issued) throws Exception {
    return issued == null
        ? client(null, new Certificate[0])
        : client(issued.key(), new Certificate[] {issued.certificate()});
  }

  private HttpClient client(@Nullable PrivateKey key, Certificate[] chain) throws Exception {
    char[] password = "changeit".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (key != null) {
      store.setKeyEntry("own", key, password, chain);
    }
    store.setCertificateEntry("ca", certificates().authority().certificate());
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }

  /**
   * Sends the body only when the server asks for it: a server that refuses a request closes the
   * connection, and bytes that arrive after that reset it before the client has read the response.
   */
  static HttpResponse<String> send(
      HttpClient http, int port, String method, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
            .expectContinue(true)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
