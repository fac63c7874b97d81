package io.varve.http.route;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * The path of a request as it is in the URI: neither decoded nor normalized, with its path
 * parameters and without the query. Routes are matched with it, because only the raw path
 * distinguishes an encoded slash from a separator.
 *
 * <p>Jetty accepts escapes such as {@code %u0041}, which Spring's path parser rejects with an
 * exception. Such paths are passed to Spring with the percent sign escaped.
 */
public final class RawPath {

  private static final String ATTRIBUTE = RawPath.class.getName();

  private RawPath() {}

  /** Without the context path. */
  public static String of(HttpServletRequest request) {
    String uri =
        request.getAttribute(ATTRIBUTE) instanceof String raw ? raw : request.getRequestURI();
    return uri.substring(request.getContextPath().length());
  }

  /** The request with a path that Spring can parse. */
  public static HttpServletRequest parseable(HttpServletRequest request) {
    String raw = request.getRequestURI();
    if (!raw.contains("%u") && !raw.contains("%U")) {
      return request;
    }
    request.setAttribute(ATTRIBUTE, raw);
    String escaped = raw.replace("%u", "%25u").replace("%U", "%25U");
    return new HttpServletRequestWrapper(request) {
      @Override
      public String getRequestURI() {
        return escaped;
      }
    };
  }
}
