package io.varve.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.varve.metrics.Metric;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Times every request as {@code http.server.requests}, Spring Boot's name for this timer, by
 * method, template of its route and status.
 *
 * <p>Each tag has few values: a method that is not one of HTTP's, and a path without a route, are
 * {@code UNKNOWN}; the latter is {@code NOT_FOUND} if the status is 404. An uncaught failure has
 * the status 500.
 */
final class RequestTimes implements Filter {

  static final Metric REQUESTS =
      Metric.histogram(
          "http.server.requests",
          "Requests; `uri` is the template of the route (`/{index}/_search`), `UNKNOWN` for a"
              + " request without a route and, with 404, `NOT_FOUND`; a coordinator has buckets"
              + " from 5 ms to 10 s",
          "method",
          "uri",
          "status");

  private static final String UNKNOWN = "UNKNOWN";
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", "TRACE");

  private final MeterRegistry meters;
  private final LongSupplier nanos;
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

  private record Key(String method, String uri, int status) {}

  /**
   * @param nanos a monotonic clock
   */
  RequestTimes(MeterRegistry meters, LongSupplier nanos) {
    this.meters = meters;
    this.nanos = nanos;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long begun = nanos.getAsLong();
    boolean failed = true;
    try {
      chain.doFilter(request, response);
      failed = false;
    } finally {
      int status = failed ? 500 : ((HttpServletResponse) response).getStatus();
      timers
          .computeIfAbsent(key((HttpServletRequest) request, status), this::timer)
          .record(nanos.getAsLong() - begun, TimeUnit.NANOSECONDS);
    }
  }

  private static Key key(HttpServletRequest request, int status) {
    String method = request.getMethod();
    Object template = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String withoutTemplate = status == 404 ? "NOT_FOUND" : UNKNOWN;
    return new Key(
        METHODS.contains(method) ? method : UNKNOWN,
        template == null ? withoutTemplate : template.toString(),
        status);
  }

  private Timer timer(Key key) {
    return REQUESTS.timer(meters, key.method, key.uri, Integer.toString(key.status));
  }
}
