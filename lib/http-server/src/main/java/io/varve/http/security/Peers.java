package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.rpc.ErrorBody;
import io.varve.tls.ProcessIdentity;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Decides which requests come from processes of this cluster, and which routes these may call. */
public interface Peers {

  /** The sender of a request. */
  sealed interface Sender {

    /** A process of this cluster. */
    record Member() implements Sender {}

    /**
     * Not a process, but possibly a user. The error is the response to a request that needs a
     * process.
     */
    record Other(ErrorBody error) implements Sender {}

    /** A process that is not accepted, and not a user. */
    record Refused(ErrorBody error) implements Sender {}
  }

  Sender sender(HttpServletRequest request);

  /**
   * The reason to refuse a request for a route between processes; empty if it is allowed.
   *
   * @param template the template of the resolved route, which does not depend on the spelling of
   *     the path
   */
  Optional<ErrorBody> refusal(HttpServletRequest request, String method, String template);

  private static ErrorBody refused(int status, String reason) {
    return ErrorBody.of(status, "security_exception", reason);
  }

  /** Without TLS: a process sends the secret of the cluster, and may call every route. */
  record WithSecret(ClusterSecret secret) implements Peers {

    private static final ErrorBody NO_SECRET =
        refused(401, "the request lacks the secret of the cluster");

    @Override
    public Sender sender(HttpServletRequest request) {
      return secret.matches(request.getHeader(ClusterSecret.HEADER))
          ? new Sender.Member()
          : new Sender.Other(NO_SECRET);
    }

    @Override
    public Optional<ErrorBody> refusal(HttpServletRequest request, String method, String template) {
      return sender(request) instanceof Sender.Member ? Optional.empty() : Optional.of(NO_SECRET);
    }
  }

  /**
   * With TLS: a process calls the {@link InternalConnector} with a certificate of this cluster, and
   * may call the routes that {@link ServiceRules} allows its service.
   *
   * @param cluster the name of this cluster
   */
  record WithCertificate(String cluster) implements Peers {

    private static final ErrorBody OTHER_PORT =
        refused(403, "the endpoint is for processes of the cluster, on their own port");
    private static final ErrorBody NO_IDENTITY =
        refused(403, "the certificate does not identify a process");
    private static final ErrorBody NO_MEMBER =
        refused(403, "the service of the certificate may call internal endpoints only");
    private static final ErrorBody EXPIRED = refused(403, "the certificate has expired");
    private static final ErrorBody REVOKED = refused(403, "the certificate was revoked");

    @Override
    public Sender sender(HttpServletRequest request) {
      if (!PeerCertificates.isInternal(request)) {
        return new Sender.Other(OTHER_PORT);
      }
      return refusal(request).<Sender>map(Sender.Refused::new).orElseGet(Sender.Member::new);
    }

    private Optional<ErrorBody> refusal(HttpServletRequest request) {
      return switch (PeerCertificates.peer(request)) {
        case PeerCertificates.Peer.Expired _ -> Optional.of(EXPIRED);
        case PeerCertificates.Peer.Revoked _ -> Optional.of(REVOKED);
        case PeerCertificates.Peer.Unknown _ -> Optional.of(NO_IDENTITY);
        case PeerCertificates.Peer.Known(ProcessIdentity identity)
            when !identity.cluster().equals(cluster) ->
            Optional.of(
                refused(
                    403,
                    "the certificate is of a process of the cluster [" + identity.cluster() + "]"));
        case PeerCertificates.Peer.Known(ProcessIdentity identity)
            when !ServiceRules.readsActuator(identity.service())
                && !PeerFilter.isInternal(request) ->
            Optional.of(NO_MEMBER);
        case PeerCertificates.Peer.Known _ -> Optional.empty();
      };
    }

    @Override
    public Optional<ErrorBody> refusal(HttpServletRequest request, String method, String template) {
      if (!PeerCertificates.isInternal(request)) {
        return Optional.of(OTHER_PORT);
      }
      return refusal(request).or(() -> ofService(request, method, template));
    }

    private static Optional<ErrorBody> ofService(
        HttpServletRequest request, String method, String template) {
      return PeerCertificates.peer(request) instanceof PeerCertificates.Peer.Known(var identity)
              && ServiceRules.allow(identity.service(), method, template)
          ? Optional.empty()
          : Optional.of(
              refused(
                  403,
                  "the service of the certificate may not call [" + method + " " + template + "]"));
    }
  }

  /** Reports each process that is refused. */
  record Reporting(Peers peers, PeerRefusals refusals) implements Peers {

    @Override
    public Sender sender(HttpServletRequest request) {
      Sender sender = peers.sender(request);
      if (sender instanceof Sender.Refused(var error)) {
        report(request, error);
      }
      return sender;
    }

    @Override
    public Optional<ErrorBody> refusal(HttpServletRequest request, String method, String template) {
      Optional<ErrorBody> refusal = peers.refusal(request, method, template);
      refusal.ifPresent(error -> report(request, error));
      return refusal;
    }

    private void report(HttpServletRequest request, ErrorBody error) {
      PeerRefusals.Cause cause =
          PeerCertificates.isInternal(request)
              ? PeerRefusals.Cause.FORBIDDEN
              : PeerRefusals.Cause.UNIDENTIFIED;
      refusals.refused(PeerRefusals.Refusal.of(request, cause, error));
    }
  }
}
