package io.varve.http.security;

import io.varve.http.route.RawPath;
import jakarta.servlet.http.HttpServletRequest;

/** Told of processes that were refused, and of connections that failed to show a certificate. */
@FunctionalInterface
public interface PeerRefusals {

  /** A service that only counts refusals, in the metrics of its requests. */
  PeerRefusals UNRECORDED = _ -> {};

  /**
   * A refusal.
   *
   * @param method empty if the connection was refused
   * @param path empty if the connection was refused
   */
  record Refusal(String remoteAddress, String method, String path, String reason) {

    public static Refusal of(HttpServletRequest request, String reason) {
      return new Refusal(
          String.valueOf(request.getRemoteAddr()),
          request.getMethod(),
          RawPath.of(request),
          reason);
    }
  }

  /** Must return soon: it is called before the response is sent. */
  void refused(Refusal refusal);
}
