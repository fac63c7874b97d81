package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/**
 * Sends all calls that return or read sources to an index without stored sources. Each must return
 * or use the documents exactly as they were sent.
 */
final class DerivedSourceCalls {

  private static final String DERIVED = "\"settings\":{\"index.derived_source.enabled\":true}";

  private final RestCalls rest;

  DerivedSourceCalls(RestCalls rest) {
    this.rest = rest;
  }

  void create() throws IOException {
    rest.call(
            "PUT",
            "/derived",
            """
            {%s,"mappings":{"properties":{"n":{"type":"long"},"tags":{"type":"keyword"},
             "fare":{"type":"scaled_float","scaling_factor":100},"at":{"type":"geo_point"},
             "text":{"type":"text"},"on":{"type":"date"}}}}
            """
                .formatted(DERIVED))
        .orThrow();
  }

  private static String source(int n) {
    return "{\"text\":\"number "
        + n
        + "\", \"n\":"
        + n
        + ",\"tags\":[\"b\",\"a\",\"b\"],\"fare\":"
        + n
        + ".50,\"at\":[13.400000,52.5],\"on\":\"2020-01-01T10:00:00+01:00\"}";
  }

  void write(int from, int count) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < from + count; n++) {
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n");
      body.append(source(n)).append('\n');
    }
    RestCalls.Answer answer =
        rest.call("POST", "/derived/_bulk", "application/x-ndjson", body.toString().getBytes(UTF_8))
            .orThrow();
    assertThat(answer.json().path("errors").asBoolean(true)).isFalse();
  }

  void areSeenAsTheyWereSent(int count) throws IOException {
    rest.call("POST", "/derived/_refresh", "").orThrow();
    for (int n : new int[] {0, count / 2, count - 1}) {
      String shown = "\"_source\":" + source(n);
      assertThat(text("GET", "/derived/_doc/" + n, "")).contains(shown);
      assertThat(text("GET", "/derived/_doc/" + n + "?realtime=false", "")).contains(shown);
      assertThat(text("POST", "/derived/_mget", "{\"ids\":[\"" + n + "\"]}")).contains(shown);
      for (String copy : new String[] {"_primary", "_replica"}) {
        assertThat(
                text(
                    "POST",
                    "/derived/_search?preference=" + copy,
                    "{\"query\":{\"term\":{\"n\":" + n + "}}}"))
            .as(copy)
            .contains(shown);
      }
    }
    assertThat(
            text(
                "POST",
                "/derived/_search",
                "{\"query\":{\"ids\":{\"values\":[\"1\"]}},\"_source\":[\"n\"]}"))
        .contains("\"_source\":{\"n\":1}");
  }

  /** Checks writes that read the stored document. */
  void areWrittenAgainAsTheyWereSent() throws IOException {
    text("POST", "/derived/_update/1", "{\"doc\":{\"n\":-1}}");
    assertThat(text("GET", "/derived/_doc/1", ""))
        .contains("\"n\":-1", "\"tags\":[\"b\",\"a\",\"b\"]", "\"text\":\"number 1\"");
    String two = "{\"query\":{\"ids\":{\"values\":[\"2\"]}}}";
    text("POST", "/derived/_update_by_query?refresh=true", two);
    assertThat(text("GET", "/derived/_doc/2?realtime=false", "")).contains(source(2));
    text(
        "POST",
        "/_reindex?refresh=true",
        "{\"source\":{\"index\":\"derived\","
            + two.substring(1, two.length() - 1)
            + "},\"dest\":{\"index\":\"again\"}}");
    assertThat(text("GET", "/again/_doc/2", "")).contains(source(2));
  }

  void isDecidedOnceAndForAll() throws IOException {
    RestCalls.Answer changed =
        rest.call("PUT", "/derived/_settings", "{\"index.derived_source.enabled\":false}");
    assertThat(changed.status()).isEqualTo(400);
    RestCalls.Answer disabled =
        rest.call(
            "PUT",
            "/nothing",
            "{%s,\"mappings\":{\"_source\":{\"enabled\":false}}}".formatted(DERIVED));
    assertThat(disabled.status()).isEqualTo(400);
    assertThat(disabled.text())
        .contains(
            "_source can't be disabled with index.derived_source.enabled enabled index setting");
  }

  private String text(String method, String path, String body) throws IOException {
    return method.equals("GET")
        ? rest.get(path).orThrow().text()
        : rest.call(method, path, body).orThrow().text();
  }
}
