package io.varve.coordinator.rest;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.request;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Forms, charsets, limits and errors of request bodies, and the form of responses. */
class RequestBodiesTest {
  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
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

  @Test
  void whoWritesYamlIsAnsweredInYaml() {
    MockHttpServletRequest request = request("PUT /a/_doc/1");
    request.setContent("f: 1\n".getBytes(StandardCharsets.UTF_8));
    request.setContentType("application/yaml");

    assertThat(text(rest.send(request))).startsWith("---\n_index: \"a\"\n");
    assertThat(text(rest.call("GET /a/_source/1"))).isEqualTo("{\"f\":1}");
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
  void brokenJsonIsTheClientsFault() {
    MockHttpServletResponse response = rest.call("PUT /a", "{\"settings\":");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void duplicateKeysAreRefused() {
    assertThat(rest.call("PUT /a", "{\"mappings\":{},\"mappings\":{}}").getStatus()).isEqualTo(400);
  }
}
