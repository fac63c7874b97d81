package io.varve.http.security;

import io.varve.process.RevocationTrust;
import io.varve.tls.ProcessIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Reads the certificate of a process of the cluster. */
public final class NodeCertificates {

  private static final int TIMEOUT_MILLIS = 5_000;

  private NodeCertificates() {}

  /**
   * The id of the node at an address, from its certificate; empty for an address without TLS, and
   * for a revoked certificate.
   *
   * @param tls the certificates of this process
   * @throws IOException no process of this cluster answers at the address
   */
  public static Optional<String> nodeIdAt(SSLContext tls, String url) throws IOException {
    URI address = URI.create(url);
    if (!"https".equals(address.getScheme()) || address.getHost() == null) {
      return Optional.empty();
    }
    String host = address.getHost();
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(host, address.getPort()), TIMEOUT_MILLIS);
      plain.setSoTimeout(TIMEOUT_MILLIS);
      try (SSLSocket socket =
          (SSLSocket) tls.getSocketFactory().createSocket(plain, host, address.getPort(), true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
            ? ProcessIdentity.of(certificate).map(ProcessIdentity::nodeId)
            : Optional.empty();
      }
    } catch (SSLException e) {
      if (isRevoked(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static boolean isRevoked(SSLException failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(RevocationTrust.RevokedException.class::isInstance);
  }
}
