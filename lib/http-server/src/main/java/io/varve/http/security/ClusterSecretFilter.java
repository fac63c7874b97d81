package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.http.route.RawPath;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Lets processes of the own cluster pass: requests with the {@link ClusterSecret}. Of others, it
 * lets those pass that need no secret here; the rest gets 401.
 *
 * <p>A request with the secret is marked ({@link #isFromCluster}).
 */
public final class ClusterSecretFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;
  private static final String TRUSTED = ClusterSecretFilter.class.getName();

  private final transient ClusterSecret secret;
  private final transient Predicate<HttpServletRequest> others;

  /**
   * @param others the requests that need no secret
   */
  public ClusterSecretFilter(ClusterSecret secret, Predicate<HttpServletRequest> others) {
    this.secret = secret;
    this.others = others;
  }

  /** Whether the request comes from a process of the own cluster. */
  public static boolean isFromCluster(HttpServletRequest request) {
    return Boolean.TRUE.equals(request.getAttribute(TRUSTED));
  }

  /** Whether it is the check of the process's health, which tells nothing else. */
  public static boolean isHealthCheck(HttpServletRequest request) {
    return RawPath.of(request).equals("/_actuator/health")
        && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
  }

  /** Whether the path is one between processes. */
  public static boolean isInternal(HttpServletRequest request) {
    String path = RawPath.of(request);
    return path.equals(ClusterSecret.INTERNAL) || path.startsWith(ClusterSecret.INTERNAL + "/");
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (secret.matches(request.getHeader(ClusterSecret.HEADER))) {
      request.setAttribute(TRUSTED, true);
    } else if (!others.test(request)) {
      Refusals.send(
          response,
          ErrorBody.of(401, "security_exception", "the request lacks the secret of the cluster"));
      return;
    }
    chain.doFilter(request, response);
  }
}
