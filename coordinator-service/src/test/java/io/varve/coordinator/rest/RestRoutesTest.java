package io.varve.coordinator.rest;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.request;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rest.BodyFormat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Checks rules that apply to every endpoint. */
class RestRoutesTest {
  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /?x=1 | 400 | request [/] contains unrecognized parameter: [x]",
        "GET /_cat/health?helo | 400 |"
            + " request [/_cat/health] contains unrecognized parameter: [helo] -> did you mean"
            + " [help]?",
        "GET /_cluster/health?timeout=1x | 400 | failed to parse setting [timeout] with value [1x]"
            + " as a time value: unit is missing or unrecognized",
        "GET /_cluster/health?local=maybe | 400 | Failed to parse value [maybe] as only [true] or"
            + " [false] are allowed.",
        "GET /_cluster/health?master_timeout=1s&cluster_manager_timeout=1s | 400 | Please only use"
            + " one of the request parameters [master_timeout, cluster_manager_timeout].",
        "GET /_x | 400 | Invalid index name [_x], must not start with '_'.",
        "GET /nothing | 404 | no such index [nothing]",
        "POST /_bulk | 400 | request body is required",
        "POST /_bulk?source=x | 400 | source and source_content_type parameters are required",
        "GET /_cat/health?s=x | 400 | Unable to sort by unknown sort key `x`",
      })
  void refusesWithAReason(String line, int status, String reason) {
    MockHttpServletResponse response = rest.call(line);

    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/reason").asString()).isEqualTo(reason);
    assertThat(json(response).at("/error/root_cause/0/reason").asString()).isEqualTo(reason);
    assertThat(json(response).path("status").asInt()).isEqualTo(status);
  }

  @Test
  void anUnknownParameterStopsTheWriteThatItCameWith() {
    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?refesh=true", "{}");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(text(response)).contains("did you mean [refresh]?");
    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void anotherMethodIsRefusedWithThoseThatAreAllowed() {
    MockHttpServletResponse response = rest.call("DELETE /_cluster/health");

    assertThat(response.getStatus()).isEqualTo(405);
    assertThat(response.getHeader("Allow")).isEqualTo("GET");
    assertThat(text(response))
        .isEqualTo(
            "{\"error\":\"Incorrect HTTP method for uri [/_cluster/health] and method [DELETE],"
                + " allowed: [GET]\",\"status\":405}");
  }

  @Test
  void aPathWithoutHandlerIsABadRequest() {
    MockHttpServletResponse response = rest.call("GET /a/b/c/d");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(text(response))
        .isEqualTo("{\"error\":\"no handler found for uri [/a/b/c/d] and method [GET]\"}");
  }

  @Test
  void optionsNameTheMethods() {
    MockHttpServletResponse response = rest.call("OPTIONS /a");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(response.getHeader("Allow")).isEqualTo("GET,HEAD,PUT,DELETE");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "application/json,200",
        "application/json; charset=UTF-8,200",
        "application/x-ndjson,406",
        "text/plain,406",
        "none,406",
      })
  void onlyJsonBodiesAreRead(String type, int status) {
    rest.cluster.index("a", 1);
    MockHttpServletRequest request = request("POST /a/_search");
    request.setContent("{}".getBytes(StandardCharsets.UTF_8));
    if (type != null) {
      request.setContentType(type);
    }

    assertThat(rest.send(request).getStatus()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "application/yaml,/_search",
    "application/cbor,/_search",
    "application/smile,/_search",
    "application/vnd.opensearch+json,/_search",
    "APPLICATION/JSON,/_search",
    "application/x-ndjson,/_bulk",
  })
  void everyFormIsReadWhereItBelongs(String type, String path) {
    rest.cluster.index("a", 1);
    MockHttpServletRequest request = request("POST /a" + path);
    BodyFormat format = BodyFormat.ofMediaType(type);
    byte[] json = "{\"size\":0}".getBytes(StandardCharsets.UTF_8);
    request.setContent(
        format == null
            ? "{\"index\":{}}\n{}\n".getBytes(StandardCharsets.UTF_8)
            : format.ofJson(json));
    request.setContentType(type);

    assertThat(rest.send(request).getStatus()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "none, none, application/json; charset=UTF-8",
        "*/*, none, application/json; charset=UTF-8",
        "application/yaml, none, application/yaml",
        "application/cbor, none, application/cbor",
        "application/yaml, smile, application/smile",
        "text/html, YAML, application/yaml",
      })
  void theAnswerHasTheFormThatIsAskedFor(String accept, String format, String type) {
    MockHttpServletRequest request =
        request("GET /_cluster/settings" + (format == null ? "" : "?format=" + format));
    if (accept != null) {
      request.addHeader("Accept", accept);
    }

    MockHttpServletResponse response = rest.send(request);

    assertThat(response.getHeader("Content-Type")).isEqualTo(type);
    BodyFormat form = BodyFormat.ofMediaType(type);
    assertThat(new String(form.toJson(response.getContentAsByteArray()), StandardCharsets.UTF_8))
        .isEqualTo("{\"persistent\":{},\"transient\":{}}");
  }

  @Test
  void aTableHasAFormWhenOneIsAskedFor() {
    MockHttpServletRequest request = request("GET /_cat/health?h=status");
    assertThat(text(rest.send(request))).isEqualTo("green\n");
    request.addHeader("Accept", "application/yaml");
    assertThat(text(rest.send(request))).isEqualTo("---\n- status: \"green\"\n");
    assertThat(rest.call("GET /_cat/health?format=xml").getStatus()).isEqualTo(400);
  }

  @Test
  void headHasTheStatusAndNoBody() {
    rest.cluster.index("a", 1);

    assertThat(rest.call("HEAD /a").getStatus()).isEqualTo(200);
    assertThat(rest.call("HEAD /a").getContentAsByteArray()).isEmpty();
    assertThat(rest.call("HEAD /b").getStatus()).isEqualTo(404);
    assertThat(rest.call("HEAD /b").getContentAsByteArray()).isEmpty();
  }

  @Test
  void theOpaqueIdComesBack() {
    MockHttpServletRequest request = request("GET /");
    request.addHeader("X-Opaque-Id", "mine");

    assertThat(rest.send(request).getHeader("X-Opaque-Id")).isEqualTo("mine");
  }

  @Test
  void prettyHasLinesAndBlanks() {
    assertThat(text(rest.call("GET /_cluster/settings?pretty")))
        .isEqualTo("{\n  \"persistent\" : { },\n  \"transient\" : { }\n}\n");
  }

  @Test
  void theFilterIsAppliedAndErrorsAreShownWhole() {
    assertThat(text(rest.call("GET /?filter_path=version.number")))
        .isEqualTo("{\"version\":{\"number\":\"3.1.0\"}}");
    assertThat(text(rest.call("GET /b?filter_path=nothing"))).contains("root_cause");
  }

  @Test
  void aTraceIsThereOnRequest() {
    assertThat(json(rest.call("GET /b?error_trace")).at("/error/stack_trace").isMissingNode())
        .isFalse();
    assertThat(json(rest.call("GET /b")).at("/error/stack_trace").isMissingNode()).isTrue();
  }

  @Test
  void segmentsAreDecodedAfterThePathWasSplit() {
    rest.cluster.index("a", 1);

    rest.call("PUT /a/_doc/x%2Fy%20z", "{}");

    assertThat(json(rest.call("GET /a/_doc/x%2Fy%20z")).path("_id").asString()).isEqualTo("x/y z");
  }
}
