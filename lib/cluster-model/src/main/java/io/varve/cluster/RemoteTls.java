package io.varve.cluster;

import io.varve.process.Pem;
import io.varve.process.RevocationTrust;
import io.varve.process.Revocations;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of connections to another cluster, as text in PEM.
 *
 * @param authorities that may sign the certificates of its processes; empty: those of the JVM
 * @param revocations the certificates that these have revoked
 * @param certificate the key and the certificate that are presented to them; empty: none
 */
record RemoteTls(String authorities, Revocations revocations, String certificate) {

  /** The store is in memory only. */
  private static final char[] PASSWORD = {};

  /** One of the texts does not have the expected content. */
  static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean ofCertificate;

    MalformedException(boolean ofCertificate, String what, @Nullable Throwable cause) {
      super(what, cause);
      this.ofCertificate = ofCertificate;
    }

    /** Whether it is the certificate, and not the authorities. */
    boolean ofCertificate() {
      return ofCertificate;
    }
  }

  SSLContext context() throws MalformedException {
    KeyManager @Nullable [] keys = certificate.isEmpty() ? null : keys();
    TrustManager @Nullable [] trust = authorities.isEmpty() ? null : trust();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private TrustManager[] trust() throws MalformedException {
    try {
      return RevocationTrust.around(Pem.trust(authorities), () -> revocations);
    } catch (IOException e) {
      throw new MalformedException(false, "certificates of authorities: " + e.getMessage(), e);
    }
  }

  private KeyManager[] keys() throws MalformedException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setKeyEntry(
          "own",
          Pem.key(certificate),
          PASSWORD,
          Pem.certificates(certificate).toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      // A message may contain parts of the key.
      throw new MalformedException(true, "private key with its certificate", null);
    }
  }

  /** Shows neither the key nor the certificates. */
  @Override
  public String toString() {
    return "RemoteTls";
  }
}
