package io.varve.rest;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Gives every request to the dispatcher but those of the other two worlds on this port: {@code
 * /_internal/} between nodes and {@code /_actuator/} for operators. A filter and not a servlet,
 * because it stands in front of whatever else wants {@code /}.
 */
public final class RestFilter implements Filter {

  private final RestDispatcher dispatcher;

  public RestFilter(RestDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    String path = http.getRequestURI();
    if (path.startsWith("/_internal/")
        || path.equals("/_actuator")
        || path.startsWith("/_actuator/")) {
      chain.doFilter(request, response);
    } else {
      dispatcher.handle(http, (HttpServletResponse) response);
      nameRoute(http);
    }
  }

  /** The metrics of HTTP tell requests apart by route, never by path. */
  private static void nameRoute(HttpServletRequest request) {
    if (request.getAttribute(RestDispatcher.ROUTE) instanceof String route) {
      ServerHttpObservationFilter.findObservationContext(request)
          .ifPresent(observed -> observed.setPathPattern(route));
    }
  }
}
