package io.varve.conformance.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.conformance.spec.RequestBuilder.BadCallException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestBuilderTest {

  private static final ApiCatalog CATALOG =
      new ApiCatalog(
          List.of(
              """
              {"search": {
                "url": {"paths": [
                  {"path": "/_search", "methods": ["GET", "POST"]},
                  {"path": "/{index}/_search", "methods": ["GET", "POST"], "parts": {"index": {}}},
                  {"path": "/{index}/{type}/_search", "methods": ["GET"], "parts": {"index": {}, "type": {}},
                   "deprecated": {"version": "1"}}]},
                "params": {"size": {}, "_source": {}},
                "body": {"description": "the query"}}}
              """,
              """
              {"exists": {
                "url": {"paths": [{"path": "/{index}/_doc/{id}", "methods": ["HEAD"],
                                   "parts": {"index": {}, "id": {}}}]},
                "params": {"realtime": {}, "needed": {"required": true}}}}
              """));

  @Test
  void takesTheAddressWithMostOfTheGivenParts() {
    assertThat(target("search", Map.of())).isEqualTo("GET /_search");
    assertThat(target("search", Map.of("index", "a"))).isEqualTo("GET /a/_search");
  }

  @Test
  void sendsABodyWithTheMethodThatUsuallyHasOne() {
    assertThat(RequestBuilder.build(CATALOG.find("search"), Map.of(), List.of(Map.of())).method())
        .isEqualTo("POST");
  }

  @Test
  void encodesPartsAndParametersAndJoinsLists() {
    assertThat(target("search", Map.of("index", "<a-{now/d}>", "_source", List.of("x", "y z"))))
        .isEqualTo("GET /%3Ca-%7Bnow%2Fd%7D%3E/_search?_source=x,y%20z");
  }

  @Test
  void knowsTheParametersThatEveryEndpointTakes() {
    assertThat(target("search", Map.of("filter_path", "took")))
        .isEqualTo("GET /_search?filter_path=took");
  }

  @Test
  void refusesACallThatTheDescriptionForbids() {
    assertThatThrownBy(() -> target("search", Map.of("sise", 1)))
        .isInstanceOf(BadCallException.class)
        .hasMessageContaining("sise");
    assertThatThrownBy(() -> target("exists", Map.of("index", "a")))
        .isInstanceOf(BadCallException.class)
        .hasMessageContaining("no URL");
    assertThatThrownBy(() -> target("exists", Map.of("index", "a", "id", 1)))
        .isInstanceOf(BadCallException.class)
        .hasMessageContaining("needed");
    assertThatThrownBy(() ->
            RequestBuilder.build(
                CATALOG.find("exists"), Map.of("index", "a", "id", 1), List.of(Map.of())))
        .isInstanceOf(BadCallException.class)
        .hasMessageContaining("body");
  }

  private static String target(String api, Map<String, @Nullable Object> parameters) {
    return RequestBuilder.build(CATALOG.find(api), parameters, List.of()).toString();
  }
}
