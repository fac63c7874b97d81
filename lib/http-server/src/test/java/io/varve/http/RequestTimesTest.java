package io.varve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerMapping;

/** Each request is timed by its method, its route and its status. */
class RequestTimesTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final RequestTimes times = new RequestTimes(meters, nanos::get);

  private void serve(String method, String template, FilterChain chain)
      throws IOException, ServletException {
    MockHttpServletRequest request = new MockHttpServletRequest(method, "/any");
    if (template != null) {
      request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, template);
    }
    times.doFilter(request, new MockHttpServletResponse(), chain);
  }

  private static FilterChain answer(int status) {
    return (_, response) -> ((MockHttpServletResponse) response).setStatus(status);
  }

  private Timer timer(String method, String uri, String status) {
    return meters
        .get("http.server.requests")
        .tags("method", method, "uri", uri, "status", status)
        .timer();
  }

  @ParameterizedTest(name = "{0} {1} with {2} is {3} {4}")
  @CsvSource({
    "GET,      /{index}/_search, 200, GET,     /{index}/_search",
    "POST,     /{index}/_search, 404, POST,    /{index}/_search",
    "GET,      ,                 404, GET,     NOT_FOUND",
    "GET,      ,                 405, GET,     UNKNOWN",
    "BREW,     ,                 400, UNKNOWN, UNKNOWN",
  })
  void requestsAreToldApart(
      String method, String template, int status, String methodTag, String uriTag)
      throws IOException, ServletException {
    serve(method, template, answer(status));

    assertThat(timer(methodTag, uriTag, Integer.toString(status)).count()).isEqualTo(1);
  }

  @Test
  void theWholeChainIsTimed() throws IOException, ServletException {
    serve("GET", "/", (_, _) -> nanos.addAndGet(1_500));

    assertThat(timer("GET", "/", "200").totalTime(TimeUnit.NANOSECONDS)).isEqualTo(1_500);
  }

  @Test
  void anUncaughtFailureIsA500() {
    assertThatThrownBy(() ->
            serve(
                "GET",
                "/",
                (_, _) -> {
                  throw new ServletException("broken");
                }))
        .isInstanceOf(ServletException.class);

    assertThat(timer("GET", "/", "500").count()).isEqualTo(1);
  }
}
