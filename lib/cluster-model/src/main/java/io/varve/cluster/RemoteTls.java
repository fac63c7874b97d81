package io.varve.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of connections to another cluster, as text in PEM.
 *
 * @param authorities that may sign the certificates of its processes; empty: those of the JVM
 * @param certificate what is shown to them, a key and its certificate; empty: nothing
 */
record RemoteTls(String authorities, String certificate) {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");
  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");

  /** The store is in memory only. */
  private static final char[] PASSWORD = {};

  /** One of the texts has not what it should have. */
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
      KeyStore store = newStore();
      int number = 0;
      for (Certificate authority : certificates(authorities)) {
        store.setCertificateEntry("authority-" + number++, authority);
      }
      if (number == 0) {
        throw new GeneralSecurityException("it is empty");
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new MalformedException(false, "certificates of authorities: " + e.getMessage(), e);
    }
  }

  private KeyManager[] keys() throws MalformedException {
    try {
      List<String> own = new ArrayList<>();
      Matcher block = CERTIFICATE.matcher(certificate);
      while (block.find()) {
        own.add(block.group());
      }
      KeyStore store = newStore();
      store.setKeyEntry(
          "own", key(), PASSWORD, certificates(String.join("\n", own)).toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      // A message may contain parts of the key.
      throw new MalformedException(true, "private key with its certificate", null);
    }
  }

  private PrivateKey key() throws GeneralSecurityException {
    Matcher block = KEY.matcher(certificate);
    if (!block.find()) {
      throw new GeneralSecurityException("no key");
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(
            Base64.getMimeDecoder().decode(block.group(1).getBytes(StandardCharsets.US_ASCII)));
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // Another algorithm may be that of the key.
      }
    }
    throw new GeneralSecurityException("unknown algorithm");
  }

  private static KeyStore newStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
  }

  /** Neither key nor certificates. */
  @Override
  public String toString() {
    return "RemoteTls";
  }
}
