package io.varve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.process.Revocations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that replaces its key, and a server that tells the certificate of each connection. */
@Timeout(300)
class ProcessTlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Handshakes look at the real clock, so the certificates are valid at any time. */
  private static final CertificateAuthority.Validity ALWAYS =
      new CertificateAuthority.Validity(
          Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2120-01-01T00:00:00Z"));

  private final CertificateAuthority authority = CertificateAuthority.create("books", ALWAYS);
  private final CertificateAuthority.Issued first = issued();
  private final CertificateAuthority.Issued second = issued();
  private final BlockingQueue<BigInteger> shown = new LinkedBlockingQueue<>();
  private SSLServerSocket server;
  private ProcessTls tls;

  private CertificateAuthority.Issued issued() {
    return authority.issue(
        new ProcessIdentity("books", ServiceKind.SHARD_SERVICE, "n1"),
        List.of("127.0.0.1"),
        ALWAYS);
  }

  @BeforeEach
  void start() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(issued()), trust(), null);
    server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 16, InetAddress.getLoopbackAddress());
    server.setNeedClientAuth(true);
    Thread.ofVirtual().start(this::serve);
    tls = new ProcessTls("books", keys(first), trust(), () -> Revocations.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** Sends one byte to each client, after the ticket with which its session can be resumed. */
  private void serve() {
    while (!server.isClosed()) {
      try (SSLSocket socket = (SSLSocket) server.accept()) {
        socket.startHandshake();
        shown.add(
            ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber());
        socket.getOutputStream().write(1);
        socket.getOutputStream().flush();
        // Until the client closes the connection.
        var _ = socket.getInputStream().read();
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", authority.certificate());
    return store;
  }

  private KeyManager[] keys(CertificateAuthority.Issued own) throws Exception {
    KeyStore store = store();
    store.setKeyEntry("own", own.key(), PASSWORD, new Certificate[] {own.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    return keys.getKeyManagers();
  }

  private TrustManager[] trust() throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store());
    return trust.getTrustManagers();
  }

  private SSLSocket connected() throws Exception {
    SSLSocket socket =
        (SSLSocket)
            tls.context().getSocketFactory().createSocket("127.0.0.1", server.getLocalPort());
    socket.startHandshake();
    return socket;
  }

  private static void readTicketAndByte(Socket socket) throws Exception {
    assertThat(socket.getInputStream().read()).isEqualTo(1);
  }

  private BigInteger shownByAnotherConnection() throws Exception {
    try (SSLSocket socket = connected()) {
      readTicketAndByte(socket);
    }
    return shown.take();
  }

  @Test
  void aConnectionShowsTheCertificateThatReplacedAnother() throws Exception {
    assertThat(shownByAnotherConnection()).isEqualTo(first.certificate().getSerialNumber());
    tls.replace(keys(second), trust());
    assertThat(shownByAnotherConnection()).isEqualTo(second.certificate().getSerialNumber());
  }

  @Test
  void aSessionThatArrivesAfterTheReplacementIsNotResumed() throws Exception {
    try (SSLSocket before = connected()) {
      assertThat(shown.take()).isEqualTo(first.certificate().getSerialNumber());
      tls.replace(keys(second), trust());
      readTicketAndByte(before);
    }
    assertThat(shownByAnotherConnection()).isEqualTo(second.certificate().getSerialNumber());
  }
}
