package io.varve.http.security;

import io.varve.cluster.stats.NodeReport;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.ServiceDefaults;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.http.internal.InternalRoutingConfiguration;
import io.varve.process.RevocationFile;
import io.varve.tls.CertificateAuthority;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A service with TLS on real ports, and clients with certificates of all kinds. */
final class TlsService implements AutoCloseable {

  static final String CLUSTER = "books";
  static final String NODE = "shard-1";
  static final List<String> HOSTS = List.of("127.0.0.1");

  /** A route that only coordinators may call. */
  static final String THINGS = "/_internal/things";

  /** A route that every process with copies may call. */
  static final String FILES = "/_internal/shards/{index}/{number}/files";

  /** A request without an answer is an error that names itself, not a test that hangs. */
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(90);

  private static final char[] PASSWORD = "changeit".toCharArray();

  final CertificateFolder certificates;
  final ServletWebServerApplicationContext context;
  private final KeyStore trust;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ServiceAutoConfiguration
  @Import({
    HttpServerConfiguration.class,
    InternalRoutingConfiguration.class,
    NodeSecurityConfiguration.class
  })
  static class Service {

    private final AtomicInteger calls = new AtomicInteger();
    private final List<PeerRefusals.Refusal> refusals = new CopyOnWriteArrayList<>();

    @Bean
    PeerRefusals peerRefusals() {
      return refusals::add;
    }

    @Bean
    AtomicInteger calls() {
      return calls;
    }

    @Bean
    NodeReport report() {
      return new NodeReport(Path.of("."), InstantSource.system());
    }

    @Bean
    InternalEndpoints endpoints() {
      return new InternalEndpoints(
          "/_internal",
          List.of(
              InternalRoute.json(THINGS, "things", calls::incrementAndGet),
              InternalRoute.json(FILES, "files", calls::incrementAndGet)));
    }
  }

  private TlsService(CertificateFolder certificates, ServletWebServerApplicationContext context)
      throws Exception {
    this.certificates = certificates;
    this.context = context;
    this.trust = trust(certificates);
  }

  private static KeyStore trust(CertificateFolder folder) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(folder.trustFile()))));
    return trust;
  }

  static CertificateFolder certificates(Path folder) throws IOException {
    CertificateFolder certificates = new CertificateFolder(folder, InstantSource.system());
    certificates.init(CLUSTER);
    certificates.add(
        new CertificateFolder.Node(
            NODE, ServiceKind.SHARD_SERVICE, ProcessIdentity.newNodeId(), HOSTS, 30));
    return certificates;
  }

  static TlsService start(Path folder) throws Exception {
    CertificateFolder certificates = certificates(folder.resolve("security"));
    return new TlsService(certificates, run(folder, certificates, Map.of()));
  }

  static ServletWebServerApplicationContext run(
      Path folder, CertificateFolder certificates, Map<String, Object> more) {
    Map<String, Object> properties =
        new HashMap<>(
            Map.of(
                "server.port",
                "0",
                "varve.cluster-name",
                CLUSTER,
                "varve.data",
                folder.resolve("data").toString(),
                "varve.security.enabled",
                "true",
                "varve.security.cluster-secret-file",
                certificates.of(NODE).resolve("cluster.secret").toString(),
                "varve.security.tls.folder",
                certificates.of(NODE).toString()));
    properties.putAll(more);
    return (ServletWebServerApplicationContext)
        ServiceDefaults.application(Service.class, properties).run();
  }

  int calls() {
    return context.getBean(AtomicInteger.class).get();
  }

  /** The processes and connections that were refused so far. */
  List<PeerRefusals.Refusal> refusals() {
    return context.getBean(Service.class).refusals;
  }

  int restPort() {
    return context.getWebServer().getPort();
  }

  int internalPort() {
    return context.getBean(InternalConnector.class).port();
  }

  /** A certificate of the cluster's authority. */
  CertificateAuthority.Issued issue(String cluster, ServiceKind service) throws IOException {
    Instant now = Instant.now();
    return issue(
        cluster,
        service,
        new CertificateAuthority.Validity(
            now.minus(1, ChronoUnit.HOURS), now.plus(1, ChronoUnit.DAYS)));
  }

  CertificateAuthority.Issued issue(
      String cluster, ServiceKind service, CertificateAuthority.Validity validity)
      throws IOException {
    return certificates
        .authority()
        .issue(new ProcessIdentity(cluster, service, "caller"), HOSTS, validity);
  }

  /** Revokes a certificate, and waits until the service knows it. */
  void revoke(CertificateAuthority.Issued issued) throws IOException {
    certificates.revoke(issued.certificate().getSerialNumber().toString(16), false);
    RevocationFile known = context.getBean(RevocationFile.class);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> known.get().revokes(issued.certificate()));
  }

  /** A client that trusts the service and presents this certificate, if any. */
  HttpClient client(CertificateAuthority.@Nullable Issued own) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (own != null) {
      store.setKeyEntry("own", own.key(), PASSWORD, new Certificate[] {own.certificate()});
    }
    keys.init(store, PASSWORD);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(trust);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }

  static HttpResponse<String> get(HttpClient client, int port, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
            .timeout(ANSWERS_WITHIN);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  String secret() throws IOException {
    return Files.readString(certificates.of(NODE).resolve("cluster.secret")).strip();
  }

  @Override
  public void close() {
    context.close();
  }
}
