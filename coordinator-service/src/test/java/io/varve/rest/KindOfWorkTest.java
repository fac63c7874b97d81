package io.varve.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.varve.cluster.stats.Pools;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindOfWorkTest {

  @ParameterizedTest
  @CsvSource({
    "GET, /{index}/_search, search",
    "POST, /_search/scroll, search",
    "POST, /_msearch, search",
    "GET, /{index}/_count, search",
    "PUT, /{index}/_doc/{id}, write",
    "DELETE, /{index}/_doc/{id}, write",
    "GET, /{index}/_doc/{id}, get",
    "HEAD, /{index}/_doc/{id}, get",
    "GET, /{index}/_source/{id}, get",
    "POST, /_bulk, write",
    "POST, /{index}/_update/{id}, write",
    "POST, /{index}/_update_by_query, generic",
    "POST, /_analyze, analyze",
    "POST, /{index}/_forcemerge, force_merge",
    "POST, /{index}/_reencode, force_merge",
    "PUT, /{index}, management",
    "GET, /_cluster/health/{index}, management",
    "GET, /, management",
  })
  void isWhatThePathAsksFor(RestMethod method, String template, String kind) {
    assertThat(KindOfWork.of(method, template)).isEqualTo(kind);
    assertThatCode(() -> new Pools().of(kind)).doesNotThrowAnyException();
  }
}
