package io.varve.process;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Accepts the certificates that another one accepts, except revoked ones. */
public final class RevocationTrust extends X509ExtendedTrustManager {

  /** A certificate was revoked. */
  public static final class RevokedException extends CertificateException {
    private static final long serialVersionUID = 1L;

    RevokedException(X509Certificate certificate, Instant at) {
      super(
          "the certificate of ["
              + certificate.getSubjectX500Principal().getName()
              + "] was revoked at "
              + at);
    }
  }

  private final X509ExtendedTrustManager trust;
  private final Supplier<Revocations> revocations;

  private RevocationTrust(X509ExtendedTrustManager trust, Supplier<Revocations> revocations) {
    this.trust = trust;
    this.revocations = revocations;
  }

  /** Wraps each of the managers that checks certificates. */
  public static TrustManager[] around(TrustManager[] managers, Supplier<Revocations> revocations) {
    return Arrays.stream(managers)
        .map(manager ->
            manager instanceof X509ExtendedTrustManager trust
                ? new RevocationTrust(trust, revocations)
                : manager)
        .toArray(TrustManager[]::new);
  }

  /**
   * Checks that no certificate is revoked.
   *
   * @throws RevokedException one of them is
   */
  public static void require(X509Certificate[] chain, Revocations revocations)
      throws RevokedException {
    for (X509Certificate certificate : chain) {
      Optional<Instant> revoked = revocations.revokedAt(certificate);
      if (revoked.isPresent()) {
        throw new RevokedException(certificate, revoked.get());
      }
    }
  }

  private void require(X509Certificate[] chain) throws RevokedException {
    require(chain, revocations.get());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust.checkClientTrusted(chain, type, engine);
    require(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust.checkClientTrusted(chain, type, socket);
    require(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust.checkClientTrusted(chain, type);
    require(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust.checkServerTrusted(chain, type, engine);
    require(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust.checkServerTrusted(chain, type, socket);
    require(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust.checkServerTrusted(chain, type);
    require(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
