package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * How a server is called.
 *
 * @param tls the context of its connections; empty without TLS
 * @param authorization the value of the header {@code Authorization}; empty without security
 */
record ServerAccess(Optional<SSLContext> tls, String authorization) {

  /** Without security. */
  static final ServerAccess PLAIN = new ServerAccess(Optional.empty(), "");

  /**
   * As the administrator of a secured cluster.
   *
   * @param data the data folder of the cluster, which is on this machine
   */
  static ServerAccess admin(Path data) throws IOException {
    Path security = data.resolve("security");
    String password = Files.readString(security.resolve("admin.password")).strip();
    byte[] user = ("admin:" + password).getBytes(UTF_8);
    return new ServerAccess(
        Optional.of(trusting(security.resolve("ca.pem"))),
        "Basic " + Base64.getEncoder().encodeToString(user));
  }

  private static SSLContext trusting(Path authorities) throws IOException {
    try (InputStream file = Files.newInputStream(authorities)) {
      KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
      trust.load(null, null);
      int number = 0;
      for (Certificate authority :
          CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        trust.setCertificateEntry("authority-" + number++, authority);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trust);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("[" + authorities + "] can't be used: " + e.getMessage(), e);
    }
  }
}
