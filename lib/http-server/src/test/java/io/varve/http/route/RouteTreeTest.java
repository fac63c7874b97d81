package io.varve.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.http.route.RouteTree.Match;
import io.varve.http.route.RouteTree.Route;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTreeTest {

  private final RouteTree<String> tree =
      new RouteTree<>(
          Stream.of(
                  "GET /",
                  "GET /{index}",
                  "PUT /{index}",
                  "DELETE /{index}",
                  "HEAD /{index}",
                  "GET /{index}/_doc/{id}",
                  "GET /_cat/{table}",
                  "POST /_cat/health",
                  "GET /{index}/{feature}/all",
                  "GET /_search/scroll")
              .map(line -> line.split(" "))
              .map(parts -> new Route<>(parts[0], parts[1], parts[1]))
              .toList());

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "//, /",
    "/a, /{index}",
    "/a/, /{index}",
    "//a//_doc///1, /{index}/_doc/{id}",
    "/%5Fcat/nodes, /_cat/{table}",
    "/_cat/health, /_cat/{table}",
    "/_cat/x/all, /{index}/{feature}/all",
    "/_search, /{index}",
  })
  void prefersLiteralsAndFallsBackToVariables(String path, String template) {
    assertThat(tree.find("GET", path))
        .isInstanceOfSatisfying(
            Match.Found.class, found -> assertThat(found.target()).isEqualTo(template));
  }

  @ParameterizedTest
  @CsvSource({
    "a%2Fb, a/b",
    "a%252Fb, a%2Fb",
    "a+b, a+b",
    "a%20b, a b",
    "a;b=c, a;b=c",
    "%C3%A9, \u00e9",
    "%F0%9F%98%80, \uD83D\uDE00",
    "., .",
    "%2e%2e, ..",
    "%3Clogs-%7Bnow%2Fd%7D%3E, <logs-{now/d}>",
  })
  void decodesASegmentOnceAndAfterSplitting(String segment, String value) {
    assertThat(tree.find("GET", "/" + segment + "/_doc/" + segment))
        .isEqualTo(new Match.Found<>("/{index}/_doc/{id}", Map.of("index", value, "id", value)));
  }

  @Test
  void namesTheMethodsOfThePathInOneOrder() {
    assertThat(tree.find("PATCH", "/a"))
        .isEqualTo(new Match.WrongMethod<String>(List.of("GET", "HEAD", "PUT", "DELETE")));
    assertThat(tree.find("OPTIONS", "/_cat/health"))
        .isEqualTo(new Match.WrongMethod<String>(List.of("GET", "POST")));
  }

  @Test
  void aPathWithoutTemplateHasNoRoute() {
    assertThat(tree.find("GET", "/a/b/c/d")).isEqualTo(new Match.NoRoute<String>());
    assertThat(tree.find("GET", "/a/../_cat/nodes")).isEqualTo(new Match.NoRoute<String>());
  }

  @Test
  void anEscapeThatIsNoneIsRefused() {
    assertThatThrownBy(() -> tree.find("GET", "/%u0041"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("unterminated escape sequence in [%u0041]");
  }

  @Test
  void twoTargetsOfOneRouteAreRefused() {
    List<Route<String>> twice =
        List.of(new Route<>("GET", "/{a}/x", "one"), new Route<>("GET", "/{b}/x", "other"));
    assertThatThrownBy(() -> new RouteTree<>(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[GET /{b}/x]");
  }
}
