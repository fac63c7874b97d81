package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.kafka.FreePorts;
import io.varve.process.Pem;
import io.varve.standalone.AuditTopic;
import io.varve.standalone.Ports;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes with TLS write, replicate and search. While they do, all their certificates are
 * replaced, then that of a data node is revoked: no request of a client fails, every process shows
 * its new certificate, and all others refuse the revoked one.
 */
@Tag("system")
class SecuredClusterTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Each write waits for a refresh. */
  private static final String INDEX =
      """
      {"settings":{"index.number_of_replicas":1,"index.refresh_interval":"100ms"}}\
      """;

  private static final String REVOKED = "replication-service-1";

  @TempDir Path data;

  private final AtomicInteger written = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  @Test
  void replacesAndRevokesItsCertificatesWithoutAFailedRequest() throws Exception {
    int port = FreePorts.next();
    List<String> options =
        new ArrayList<>(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    options.addAll(List.of("--shard-services", "1", "--replication-services", "1"));
    options.addAll(List.of("--ccr-followers", "0", "--secured"));
    // These exceed any delay of heartbeats on a slow machine.
    options.addAll(List.of("--varve.node.timeout-millis", "60000"));
    options.addAll(List.of("--varve.leader.timeout-millis", "60000"));
    try (LocalCluster cluster =
        LocalCluster.start(ClusterOptions.parse(options.toArray(String[]::new)))) {
      assertThat(cluster.awaitGreen(PATIENCE)).as(cluster::whyNotUp).isTrue();
      SecurityFolder security = new SecurityFolder(data);
      try (RestCalls rest = new RestCalls(cluster.url(), PATIENCE, security.access())) {
        rest.call("PUT", "/books", INDEX).orThrow();
        rest.get("/_cluster/health/books?wait_for_status=green&timeout=2m").orThrow();
        Thread load = Thread.ofVirtual().start(() -> load(rest));
        awaitWrites(20);
        rotate(security, processPorts());
        awaitWrites(50);
        revoke(rest);
        awaitWrites(50);
        ended = true;
        load.join();
        assertThat(failures).isEmpty();
        rest.get("/_cluster/health/books?wait_for_status=green&timeout=2m").orThrow();
        for (String copy : List.of("_primary", "_replica")) {
          assertThat(
                  rest.get("/books/_count?preference=" + copy)
                      .orThrow()
                      .json()
                      .path("count")
                      .asInt())
              .as(copy)
              .isEqualTo(written.get());
        }
      }
    }
  }

  /** The broker and the other processes refuse the node, until it has another certificate. */
  private void revoke(RestCalls rest) throws Exception {
    certificates().revoke(REVOKED, false);
    Awaitility.await().atMost(PATIENCE).until(() -> nodes(rest) == 2);
    awaitWrites(20);
    for (String node : List.of("coordinator-1", "shard-service-1")) {
      assertThatThrownBy(() -> callAsRevoked(node)).isInstanceOf(IOException.class);
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(new AuditTopic(data, "broker-1").events())
                  .anySatisfy(event ->
                      assertThat(event)
                          .contains(
                              "\"kind\":\"refused\"", "\"node\":\"" + node + "\"", "revoked")));
    }
    certificates().rotate(REVOKED, 60);
    Awaitility.await().atMost(PATIENCE).until(() -> nodes(rest) == 3);
  }

  private void callAsRevoked(String node) throws Exception {
    String pem = Files.readString(certificates().of(REVOKED).resolve(CertificateFolder.NODE_FILE));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "own", Pem.key(pem), new char[0], Pem.certificates(pem).toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(
        keys.getKeyManagers(),
        Pem.trust(Files.readString(certificates().trustFile())),
        new SecureRandom());
    int port = Ports.in(data).of(node + SecurityFolder.INTERNAL);
    try (HttpClient thief = HttpClient.newBuilder().sslContext(tls).build()) {
      var _ =
          thief.send(
              HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/_actuator/health"))
                  .build(),
              HttpResponse.BodyHandlers.discarding());
    }
  }

  private static int nodes(RestCalls rest) throws IOException {
    return (int) rest.get("/_cat/nodes?h=name").orThrow().text().lines().count();
  }

  private void load(RestCalls rest) {
    while (!ended) {
      try {
        RestCalls.Answer answer =
            rest.call(
                "PUT", "/books/_doc/" + written.get() + "?refresh=wait_for", "{\"a\":\"log\"}");
        if (answer.status() == 201) {
          written.incrementAndGet();
        } else {
          failures.add(answer.status() + " " + answer.text());
          return;
        }
      } catch (Exception e) {
        failures.add(e.toString());
        return;
      }
    }
  }

  private void awaitWrites(int more) {
    int enough = written.get() + more;
    Awaitility.await().atMost(PATIENCE).until(() -> written.get() >= enough || !failures.isEmpty());
    assertThat(failures).isEmpty();
  }

  private List<Integer> processPorts() throws Exception {
    Ports ports = Ports.in(data);
    List<Integer> internal = new ArrayList<>();
    for (String node : certificates().nodes()) {
      boolean broker = certificates().certified(node).identity().service() == ServiceKind.BROKER;
      internal.add(ports.of(broker ? node : node + SecurityFolder.INTERNAL));
    }
    assertThat(internal).hasSize(4);
    return internal;
  }

  private CertificateFolder certificates() {
    return new CertificateFolder(data.resolve("security"), InstantSource.system());
  }

  private void rotate(SecurityFolder security, List<Integer> ports) throws Exception {
    List<BigInteger> before = serials(security, ports);
    for (String node : certificates().nodes()) {
      certificates().rotate(node, 60);
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> serials(security, ports).stream().noneMatch(before::contains));
  }

  /** A server shows its certificate before it asks for that of the client, which has none here. */
  private static List<BigInteger> serials(SecurityFolder security, List<Integer> ports)
      throws Exception {
    List<BigInteger> serials = new ArrayList<>();
    for (int port : ports) {
      try (SSLSocket socket =
          (SSLSocket) security.trusting().getSocketFactory().createSocket("127.0.0.1", port)) {
        socket.startHandshake();
        serials.add(
            ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber());
      }
    }
    return serials;
  }
}
