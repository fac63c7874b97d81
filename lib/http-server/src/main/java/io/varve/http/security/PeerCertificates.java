package io.varve.http.security;

import io.varve.process.Revocations;
import io.varve.tls.ProcessIdentity;
import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Marks the requests of the {@link InternalConnector} with the certificate of their connection.
 *
 * <p>A handshake accepts only valid certificates, but a connection may outlive its certificate.
 * Each request is therefore checked. In the last hour of the certificate, the response closes the
 * connection, and the client opens another one with its next certificate. A connection whose
 * certificate is revoked is closed with the next response, which refuses the request.
 */
final class PeerCertificates implements HttpConfiguration.Customizer {

  private static final String PEER = PeerCertificates.class.getName();
  private static final long LAST_HOUR_MILLIS = 3_600_000;

  /** The state of a connection's certificate at the time of a request. */
  sealed interface Peer {

    /** A valid certificate of this process. */
    record Known(ProcessIdentity identity) implements Peer {}

    /** The certificate has expired since the connection was opened. */
    record Expired() implements Peer {}

    /** The certificate was revoked after the connection was opened. */
    record Revoked() implements Peer {}

    /** A certificate without the name of a process. */
    record Unknown() implements Peer {}
  }

  /** The parsed certificate, kept with the session of its connections. */
  private record Parsed(Peer peer, @Nullable X509Certificate certificate, long untilMillis) {}

  private final InstantSource clock;
  private final Supplier<Revocations> revocations;

  PeerCertificates(InstantSource clock, Supplier<Revocations> revocations) {
    this.clock = clock;
    this.revocations = revocations;
  }

  /** Whether the request came through the {@link InternalConnector}. */
  static boolean isInternal(HttpServletRequest request) {
    return request.getAttribute(PEER) instanceof Peer;
  }

  /** Also {@link Peer.Unknown} for requests of other connectors. */
  static Peer peer(HttpServletRequest request) {
    return request.getAttribute(PEER) instanceof Peer peer ? peer : new Peer.Unknown();
  }

  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    Parsed parsed =
        parsed(request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData());
    X509Certificate certificate = parsed.certificate();
    boolean revoked = certificate != null && revocations.get().revokes(certificate);
    long leftMillis = parsed.untilMillis() - clock.millis();
    if (leftMillis < LAST_HOUR_MILLIS || revoked) {
      responseHeaders.put(HttpHeader.CONNECTION, "close");
    }
    request.setAttribute(
        PEER, revoked ? new Peer.Revoked() : leftMillis < 0 ? new Peer.Expired() : parsed.peer());
    return request;
  }

  private static Parsed parsed(EndPoint.SslSessionData tls) {
    if (tls.sslSession().getValue(PEER) instanceof Parsed known) {
      return known;
    }
    X509Certificate[] chain = tls.peerCertificates();
    Parsed parsed =
        chain == null || chain.length == 0
            ? new Parsed(new Peer.Unknown(), null, Long.MAX_VALUE)
            : new Parsed(
                ProcessIdentity.of(chain[0])
                    .<Peer>map(Peer.Known::new)
                    .orElseGet(Peer.Unknown::new),
                chain[0],
                chain[0].getNotAfter().toInstant().toEpochMilli());
    tls.sslSession().putValue(PEER, parsed);
    return parsed;
  }
}
