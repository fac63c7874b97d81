package io.varve.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts a certificate if another trust manager accepts it and it is that of a process of the
 * cluster.
 */
final class ClusterTrust extends X509ExtendedTrustManager {

  private final String cluster;
  private final X509ExtendedTrustManager trust;

  ClusterTrust(String cluster, X509ExtendedTrustManager trust) {
    this.cluster = cluster;
    this.trust = trust;
  }

  private void requireCluster(X509Certificate[] chain) throws CertificateException {
    ProcessIdentity identity =
        ProcessIdentity.of(chain[0])
            .orElseThrow(() -> new CertificateException("the certificate names no process"));
    if (!identity.cluster().equals(cluster)) {
      throw new CertificateException(
          "the certificate is of a process of the cluster [" + identity.cluster() + "]");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust.checkServerTrusted(chain, type, engine);
    requireCluster(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust.checkServerTrusted(chain, type, socket);
    requireCluster(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust.checkServerTrusted(chain, type);
    requireCluster(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("this context is for clients");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("this context is for clients");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this context is for clients");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
