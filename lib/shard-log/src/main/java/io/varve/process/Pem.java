package io.varve.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificates and private keys as text. A text may contain several of them. */
public final class Pem {

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";

  /** The type of blocks with lists of revoked certificates. */
  static final String REVOCATIONS = "X509 CRL";

  private static final int LINE_LENGTH = 64;

  private Pem() {}

  public static String of(X509Certificate certificate) {
    try {
      return block(CERTIFICATE, certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String of(PrivateKey key) {
    return block(KEY, key.getEncoded());
  }

  public static String of(X509CRL list) {
    try {
      return block(REVOCATIONS, list.getEncoded());
    } catch (CRLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String block(String type, byte[] content) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'}).encodeToString(content)
        + "\n-----END "
        + type
        + "-----\n";
  }

  /**
   * The certificates in a text.
   *
   * @throws IOException the text has a malformed certificate, or none
   */
  public static List<X509Certificate> certificates(String text) throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      for (byte[] block : blocks(CERTIFICATE, text)) {
        certificates.add(
            (X509Certificate)
                CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block)));
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("malformed certificate: " + e.getMessage(), e);
    }
    if (certificates.isEmpty()) {
      throw new IOException("no certificate");
    }
    return certificates;
  }

  /**
   * Returns a trust manager that accepts the certificates that the authorities in a text have
   * signed.
   *
   * @throws IOException the text has a malformed certificate, or none
   */
  public static TrustManager[] trust(String authorities) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate authority : certificates(authorities)) {
        store.setCertificateEntry("authority-" + number++, authority);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * The context of clients that present no certificate.
   *
   * @param authorities a file with the certificates of the authorities that they trust
   */
  public static SSLContext trusting(Path authorities) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(Files.readString(authorities, US_ASCII)), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException("[" + authorities + "] can't be used: " + e.getMessage(), e);
    }
  }

  /**
   * The key in a text: of an elliptic curve, or of RSA.
   *
   * @throws IOException the text does not contain exactly one key, or the key is malformed
   */
  public static PrivateKey key(String text) throws IOException {
    List<byte[]> blocks = blocks(KEY, text);
    if (blocks.size() != 1) {
      throw new IOException(blocks.size() + " private keys instead of one");
    }
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(blocks.getFirst());
    for (String algorithm : KEY_ALGORITHMS) {
      Optional<PrivateKey> key = key(encoded, algorithm);
      if (key.isPresent()) {
        return key.get();
      }
    }
    throw new IOException("malformed private key");
  }

  /**
   * Returns empty if the bytes are not a key of that algorithm. The message may contain parts of
   * the key.
   */
  private static Optional<PrivateKey> key(PKCS8EncodedKeySpec encoded, String algorithm) {
    try {
      return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  /**
   * The content of all blocks of a type.
   *
   * @throws IOException the content of one is not base64
   */
  static List<byte[]> blocks(String type, String text) throws IOException {
    List<byte[]> blocks = new ArrayList<>();
    Matcher block =
        Pattern.compile("-----BEGIN " + type + "-----([^-]*)-----END " + type + "-----")
            .matcher(text);
    while (block.find()) {
      try {
        blocks.add(Base64.getMimeDecoder().decode(block.group(1).getBytes(US_ASCII)));
      } catch (IllegalArgumentException e) {
        throw new IOException("malformed " + type.toLowerCase(Locale.ROOT), e);
      }
    }
    return blocks;
  }
}
