package io.varve.coordinator.rest;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.request;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rest.BodyFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
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
  @CsvSource({"application/yaml", "application/cbor", "application/smile"})
  void linesAreNotCutOutOfOtherForms(String type) {
    MockHttpServletRequest request = request("POST /_bulk");
    request.setContent(new byte[] {1, 2, 3});
    request.setContentType(type);

    assertThat(rest.send(request).getStatus()).isEqualTo(406);
  }

  @ParameterizedTest
  @CsvSource({"UTF-8,200", "utf-8,200", "iso-8859-1,200", "utf-16le,200", "klingon,406"})
  void textIsReadInTheCharsetThatItNames(String charset, int status) {
    MockHttpServletRequest request = request("PUT /a/_doc/1");
    String json = "{\"f\":\"\u00e4\"}";
    request.setContent(
        json.getBytes(
            Charset.isSupported(charset) ? Charset.forName(charset) : StandardCharsets.UTF_8));
    request.addHeader("Content-Type", "application/json; charset=" + charset);

    int got = rest.send(request).getStatus();

    assertThat(got == 201 ? 200 : got).isEqualTo(status);
    if (status == 200) {
      assertThat(json(rest.call("GET /a/_source/1")).path("f").asString()).isEqualTo("\u00e4");
    }
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
  void whoWritesYamlIsAnsweredInYaml() {
    MockHttpServletRequest request = request("PUT /a/_doc/1");
    request.setContent("f: 1\n".getBytes(StandardCharsets.UTF_8));
    request.setContentType("application/yaml");

    assertThat(text(rest.send(request))).startsWith("---\n_index: \"a\"\n");
    assertThat(text(rest.call("GET /a/_source/1"))).isEqualTo("{\"f\":1}");
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
  void aSecondValueBehindTheFirstIsRefused() {
    MockHttpServletRequest request = request("PUT /a/_doc/1");
    request.setContent("f: 1\n---\nf: 2\n".getBytes(StandardCharsets.UTF_8));
    request.setContentType("application/yaml");

    assertThat(rest.send(request).getStatus()).isEqualTo(400);
    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void theNameOfAnUnreadableTypeIsTold() {
    MockHttpServletRequest request = request("POST /_bulk");
    request.setContent("x".getBytes(StandardCharsets.UTF_8));
    request.setContentType("text/plain");

    assertThat(text(rest.send(request)))
        .isEqualTo(
            "{\"error\":\"Content-Type header [text/plain] is not supported\",\"status\":406}");
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
  void packedBodiesAreUnpackedAndAnswersPackedOnRequest() throws IOException {
    rest.cluster.index("a", 1);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write("{\"f\":1}".getBytes(StandardCharsets.UTF_8));
    }
    MockHttpServletRequest request = request("PUT /a/_doc/1");
    request.setContentType("application/json");
    request.addHeader("Content-Encoding", "gzip");
    request.setContent(packed.toByteArray());
    assertThat(rest.send(request).getStatus()).isEqualTo(201);

    MockHttpServletRequest large = request("GET /_stats?level=shards");
    large.addHeader("Accept-Encoding", "deflate, gzip");
    MockHttpServletResponse answer = rest.send(large);
    assertThat(answer.getHeader("Content-Encoding")).isEqualTo("gzip");
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(answer.getContentAsByteArray()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("\"_all\"");
    }

    MockHttpServletRequest plain = request("GET /_stats?level=shards");
    plain.addHeader("Accept-Encoding", "identity");
    assertThat(rest.send(plain).getHeader("Content-Encoding")).isNull();
  }

  @Test
  void aBodyOverTheLimitIsRefusedUnread() {
    String body = "{\"f\":\"" + "x".repeat((int) RestHarness.MAX_BYTES) + "\"}";

    assertThat(rest.call("PUT /a/_doc/1", body).getStatus()).isEqualTo(413);
    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void bodiesThatTogetherAreTooMuchForTheHeapAreRefusedUnread() {
    String body = "{\"f\":\"" + "x".repeat(1000) + "\"}";
    rest.inFlightBytes.set(2L * body.length() - 1);

    MockHttpServletResponse refused = rest.call("PUT /a/_doc/1", body);

    assertThat(refused.getStatus()).isEqualTo(429);
    assertThat(json(refused).at("/error/type").asString()).isEqualTo("circuit_breaking_exception");
    assertThat(json(refused).at("/error/reason").asString())
        .startsWith("[in_flight_requests] Data too large, data for [<http_request>] would be");
    assertThat(rest.shards.calls()).isEmpty();
    rest.inFlightBytes.set(2L * body.length());
    for (int request = 0; request < 3; request++) {
      assertThat(rest.call("POST /_analyze", body).getStatus())
          .as("what was held is given back")
          .isNotEqualTo(429);
    }
  }

  @Test
  void aFullHeapRefusesWhatNeedsMemoryAndNothingElse() {
    rest.heapBytes.set(RestHarness.HEAP_BYTES + 1);
    for (String line :
        List.of("GET /_search", "POST /_bulk", "PUT /a/_doc/1", "GET /_mget", "GET /_msearch")) {
      MockHttpServletResponse refused = rest.call(line, "{}");
      assertThat(refused.getStatus()).as(line).isEqualTo(429);
      assertThat(json(refused).at("/error/type").asString())
          .isEqualTo("circuit_breaking_exception");
      assertThat(json(refused).at("/error/reason").asString())
          .startsWith("[parent] Data too large, data for [<http_request>] would be [1073741825");
      assertThat(json(refused).at("/error/durability").asString()).isEqualTo("TRANSIENT");
    }
    for (String line :
        List.of(
            "GET /_cluster/health",
            "GET /_cat/nodes",
            "GET /_nodes/stats",
            "DELETE /_search/scroll/_all")) {
      assertThat(rest.call(line).getStatus()).as(line).isNotEqualTo(429);
    }
    rest.heapBytes.set(0);
    assertThat(rest.call("GET /_search").getStatus()).isEqualTo(200);
  }

  @Test
  void aPackedBodyCountsAsItIsUnpacked() throws IOException {
    rest.inFlightBytes.set(15_000);

    assertThat(rest.send(packed(9_000)).getStatus()).isEqualTo(429);
    assertThat(rest.send(packed(1_000)).getStatus()).isEqualTo(400);
    assertThat(rest.send(packed((int) RestHarness.MAX_BYTES + 1)).getStatus()).isEqualTo(429);
    rest.inFlightBytes.set(Long.MAX_VALUE);
    assertThat(rest.send(packed((int) RestHarness.MAX_BYTES + 1)).getStatus()).isEqualTo(413);
  }

  private static MockHttpServletRequest packed(int bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[bytes]);
    }
    MockHttpServletRequest request = request("POST /_analyze");
    request.addHeader("Content-Encoding", "gzip");
    request.setContentType("application/json");
    request.setContent(packed.toByteArray());
    return request;
  }

  @Test
  void aRefusalLeavesNothingOfItsRequestBehind() throws IOException {
    MockHttpServletRequest small = request("POST /_search?timeout%g1=1s");
    small.setContent(new byte[200_000]);
    assertThat(rest.send(small).getHeader("Connection")).isNull();
    assertThat(small.getInputStream().read()).as("what is left").isEqualTo(-1);

    MockHttpServletRequest large = request("POST /_search?timeout%g1=1s");
    large.setContent(new byte[4 << 20]);
    MockHttpServletResponse answer = rest.send(large);
    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getHeader("Connection")).isEqualTo("close");
  }

  @ParameterizedTest
  @CsvSource({"application/yaml", "application/cbor", "application/smile"})
  void halfOfACharacterIsAnsweredInEveryForm(String form) {
    MockHttpServletRequest request = request("POST /_search");
    request.addHeader("Accept", form);
    request.setContentType("application/json");
    request.setContent("{\"a\\ud800'b\":1}".getBytes(StandardCharsets.UTF_8));

    MockHttpServletResponse answer = rest.send(request);

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsByteArray()).isNotEmpty();
  }

  @Test
  void theOpaqueIdComesBack() {
    MockHttpServletRequest request = request("GET /");
    request.addHeader("X-Opaque-Id", "mine");

    assertThat(rest.send(request).getHeader("X-Opaque-Id")).isEqualTo("mine");
  }

  @Test
  void aBodyMayStandInTheQuery() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response =
        rest.call(
            "GET /a/_search?source=%7B%22size%22%3A0%7D&source_content_type=application/json");

    assertThat(response.getStatus()).isEqualTo(200);
  }

  @Test
  void aBodyThatNobodyReadsIsRefused() {
    assertThat(text(rest.call("GET /", "{}")))
        .contains("request [GET /] does not support having a body");
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
  void brokenJsonIsTheClientsFault() {
    MockHttpServletResponse response = rest.call("PUT /a", "{\"settings\":");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void duplicateKeysAreRefused() {
    assertThat(rest.call("PUT /a", "{\"mappings\":{},\"mappings\":{}}").getStatus()).isEqualTo(400);
  }

  @Test
  void segmentsAreDecodedAfterThePathWasSplit() {
    rest.cluster.index("a", 1);

    rest.call("PUT /a/_doc/x%2Fy%20z", "{}");

    assertThat(json(rest.call("GET /a/_doc/x%2Fy%20z")).path("_id").asString()).isEqualTo("x/y z");
  }
}
