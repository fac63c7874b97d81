package io.varve.http.security;

import io.varve.http.route.RawPath;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;

/** Notified of refused processes, and of connections that presented no certificate. */
@FunctionalInterface
public interface PeerRefusals {

  /** A service that only counts refusals, in the metrics of its requests. */
  PeerRefusals UNRECORDED = _ -> {};

  /** The cause of a refusal. */
  enum Cause {
    /** A connection or a request without a certificate of the cluster; any client can cause it. */
    UNIDENTIFIED,
    /** A request that the process with that certificate may not make. */
    FORBIDDEN,
    /**
     * A request of a node that had the primary in an earlier term. The request is late, not
     * hostile.
     */
    STALE_PRIMARY_TERM;

    /** The label of metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A refusal.
   *
   * @param method empty if the connection was refused
   * @param path empty if the connection was refused
   * @param status the status of the response; for a refused connection, that of a forbidden request
   */
  record Refusal(
      Cause cause, String remoteAddress, String method, String path, int status, String reason) {

    private static final int FORBIDDEN = 403;

    /** A connection that was refused. */
    public static Refusal ofConnection(String remoteAddress, String reason) {
      return new Refusal(Cause.UNIDENTIFIED, remoteAddress, "", "", FORBIDDEN, reason);
    }

    /** A request that its process may not make. */
    public static Refusal of(HttpServletRequest request, ErrorBody error) {
      return of(request, Cause.FORBIDDEN, error);
    }

    public static Refusal of(HttpServletRequest request, Cause cause, ErrorBody error) {
      return new Refusal(
          cause,
          String.valueOf(request.getRemoteAddr()),
          request.getMethod(),
          RawPath.of(request),
          error.status(),
          error.reason());
    }
  }

  /** Must return soon: it is called before the response is sent. */
  void refused(Refusal refusal);
}
