package io.varve.standalone.cluster;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A filter in front of the endpoints from which replicas copy segments. Per index, it passes,
 * delays or rejects requests.
 */
final class CopyGate implements Filter {

  private static final Pattern COPYING =
      Pattern.compile("/_internal/shards/([^/]+)/\\d+/(snapshots|files|bundle)\\b.*");

  private final Map<String, Long> delays = new ConcurrentHashMap<>();
  private final Map<String, Boolean> closed = new ConcurrentHashMap<>();

  /** Rejects all requests to copy segments of the index until the gate is opened. */
  void close(TestIndex index) throws IOException {
    closed.put(index.uuid(), true);
  }

  /** Delays each response. */
  void slowDown(TestIndex index, long millis) throws IOException {
    delays.put(index.uuid(), millis);
  }

  void open(TestIndex index) throws IOException {
    closed.remove(index.uuid());
    delays.remove(index.uuid());
  }

  void openForAll() {
    closed.clear();
    delays.clear();
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain rest)
      throws IOException, ServletException {
    Matcher copying = COPYING.matcher(((HttpServletRequest) request).getRequestURI());
    if (copying.matches()) {
      if (closed.containsKey(copying.group(1))) {
        ((HttpServletResponse) response).sendError(503, "the gate is closed");
        return;
      }
      pause(delays.getOrDefault(copying.group(1), 0L));
    }
    rest.doFilter(request, response);
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting at the gate", e);
    }
  }
}
