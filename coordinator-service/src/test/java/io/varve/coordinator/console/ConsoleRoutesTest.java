package io.varve.coordinator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.coordinator.rest.RestHarness;
import io.varve.http.route.RouteServlet;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletConfig;

class ConsoleRoutesTest {

  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"#]+)\"");
  private static final Pattern IMPORTED = Pattern.compile("from '([^']+)'");

  private final RestHarness rest = new RestHarness();
  private PictureStreams streams;
  private RouteServlet servlet;

  @BeforeEach
  void start() throws Exception {
    streams =
        new PictureStreams(
            rest.cluster,
            new ClusterPainter(
                rest.cluster, rest.part(ClusterSelection.class), rest.part(NodeGuards.class), 10),
            1);
    servlet = RouteServlet.of(new ConsoleRoutes(new ConsoleFiles(), streams));
    servlet.init(new MockServletConfig());
  }

  @AfterEach
  void close() {
    streams.close();
    servlet.destroy();
    rest.close();
  }

  private MockHttpServletResponse call(MockHttpServletRequest request) throws Exception {
    MockHttpServletResponse response = new MockHttpServletResponse();
    servlet.service(request, response);
    return response;
  }

  private MockHttpServletResponse get(String path) throws Exception {
    return call(new MockHttpServletRequest("GET", path));
  }

  private static String text(MockHttpServletResponse response) {
    return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void theAddressWithoutASlashLeadsToThePage() throws Exception {
    MockHttpServletResponse response = get("/_console");
    assertThat(response.getStatus()).isEqualTo(308);
    assertThat(response.getHeader("Location")).isEqualTo("/_console/");
  }

  @Test
  void thePageLoadsOnlyFilesOfTheConsole() throws Exception {
    String page = text(get("/_console/"));
    assertThat(page).contains("<title>Varve console</title>").doesNotContain("<style", "onclick");
    for (MatchResult loaded : LOADED.matcher(page).results().toList()) {
      assertThat(get("/_console/" + loaded.group(1)).getStatus())
          .as(loaded.group(1))
          .isEqualTo(200);
    }
    String script = text(get("/_console/console.js"));
    for (MatchResult imported : IMPORTED.matcher(script).results().toList()) {
      assertThat(get("/_console/" + imported.group(1).substring(2)).getContentType())
          .as(imported.group(1))
          .startsWith("text/javascript");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/_console", "/_console/", "/_console/console.js", "/_console/none"})
  void everyResponseForbidsContentFromElsewhere(String path) throws Exception {
    MockHttpServletResponse response = get(path);
    assertThat(response.getHeader("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
  }

  @Test
  void anUnchangedFileIsNotSentAgain() throws Exception {
    String tag = get("/_console/console.css").getHeader("ETag");
    MockHttpServletRequest again = new MockHttpServletRequest("GET", "/_console/console.css");
    again.addHeader("If-None-Match", tag);
    MockHttpServletResponse response = call(again);
    assertThat(response.getStatus()).isEqualTo(304);
    assertThat(response.getContentAsByteArray()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_console/ConsoleRoutes.class",
        "/_console/../_console/console.js",
        "/_console/%2e%2e/console.js",
        "/_console//console.js",
        "/_console/a/b"
      })
  void nothingElseInTheJarCanBeRead(String path) throws Exception {
    MockHttpServletResponse response = get(path);
    assertThat(response.getStatus()).isEqualTo(404);
    assertThat(RestHarness.json(response).at("/error/type").asString())
        .isEqualTo("resource_not_found_exception");
  }

  @ParameterizedTest
  @CsvSource({"POST,/_console/", "DELETE,/_console/events", "PUT,/_console"})
  void onlyReadingIsAllowed(String method, String path) throws Exception {
    MockHttpServletResponse response = call(new MockHttpServletRequest(method, path));
    assertThat(response.getStatus()).isEqualTo(405);
    assertThat(response.getHeader("Allow")).isEqualTo("GET,HEAD");
  }

  @Test
  void oneStreamMoreThanAllowedIsRefused() throws Exception {
    assertThat(streams.reserve()).isTrue();
    MockHttpServletResponse response = get("/_console/events");
    assertThat(response.getStatus()).isEqualTo(429);
    assertThat(text(response)).contains("varve.console.max-streams");
  }
}
