package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.http.route.RawPath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Accepts requests of processes of this cluster ({@link Peers}), and other requests that need not
 * come from a process. Refuses the rest.
 *
 * <p>A request of a process is marked ({@link #isFromCluster}). The route, which is resolved later,
 * determines whether the process may call it.
 */
public final class PeerFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;
  private static final String TRUSTED = PeerFilter.class.getName();

  private final transient Peers peers;
  private final transient Predicate<HttpServletRequest> others;

  /**
   * @param others the requests that need not come from a process
   */
  public PeerFilter(Peers peers, Predicate<HttpServletRequest> others) {
    this.peers = peers;
    this.others = others;
  }

  /** Whether the request comes from a process of this cluster. */
  public static boolean isFromCluster(HttpServletRequest request) {
    return Boolean.TRUE.equals(request.getAttribute(TRUSTED));
  }

  /** Whether it is the health check of the process, which reveals nothing else. */
  public static boolean isHealthCheck(HttpServletRequest request) {
    return RawPath.of(request).equals("/_actuator/health")
        && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
  }

  /** Whether the path is that of an endpoint between processes. */
  public static boolean isInternal(HttpServletRequest request) {
    String path = RawPath.of(request);
    return path.equals(ClusterSecret.INTERNAL) || path.startsWith(ClusterSecret.INTERNAL + "/");
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    switch (peers.sender(request)) {
      case Peers.Sender.Member _ -> {
        request.setAttribute(TRUSTED, true);
        chain.doFilter(request, response);
      }
      case Peers.Sender.Other _ when others.test(request) -> chain.doFilter(request, response);
      case Peers.Sender.Other(var error) -> Refusals.send(response, error);
      case Peers.Sender.Refused(var error) -> Refusals.send(response, error);
    }
  }
}
