package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A search with too many parts is refused, and the error names the setting that allows more. */
class RequestLimitsTest {

  private static String listed(int count, String part) {
    return IntStream.range(0, count)
        .mapToObj(i -> part.replace("#", Integer.toString(i)))
        .collect(Collectors.joining(","));
  }

  private static String aggregations(int count) {
    return "{'aggs':{" + listed(count, "'a#':{'max':{'field':'n'}}") + "}}";
  }

  /** That many aggregations on each of two levels, within one outer aggregation. */
  private static String nestedAggregations(int count) {
    return "{'aggs':{'top':{'global':{},"
        + aggregations(count).substring(1).replace("}}}}", "}}}")
        + "}}}";
  }

  private static String rescores(int count) {
    return "{'rescore':["
        + listed(count, "{'window_size':10,'query':{'rescore_query':{'match_all':{}}}}")
        + "]}";
  }

  private static String sorts(int count) {
    return "{'sort':[" + listed(count, "{'n#':{'order':'asc','unmapped_type':'long'}}") + "]}";
  }

  private static String innerHits(int count) {
    return "{'collapse':{'field':'k','inner_hits':["
        + listed(count, "{'name':'i#','size':1}")
        + "]}}";
  }

  private static String queryString(int length) {
    return "{'query':{'query_string':{'query':'" + "x".repeat(length) + "'}}}";
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        Arguments.of("search.max_aggregations", aggregations(1000), aggregations(1001)),
        Arguments.of("search.max_aggregations", aggregations(999), nestedAggregations(1000)),
        Arguments.of("search.max_rescores", rescores(10), rescores(11)),
        Arguments.of("search.max_sort_fields", sorts(100), sorts(101)),
        Arguments.of("search.max_inner_hits", innerHits(100), innerHits(101)),
        Arguments.of(
            "search.query.max_query_string_length", queryString(32_000), queryString(32_001)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void refusesWhatExceedsALimitAndNothingThatMeetsIt(
      String setting, String allowed, String refused) {
    assertThatThrownBy(() -> RequestLimits.check(ClusterState.EMPTY, request(refused)))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(400);
              assertThat(e.error().type()).isEqualTo("illegal_argument_exception");
              assertThat(e.error().reason()).contains(setting);
            });
    RequestLimits.check(ClusterState.EMPTY, request(allowed));
  }

  /** The number is that of the queries within each other; a name is not one of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2 | {'bool':{'must':{'match_all':{}},'must_not':{'match_none':{}}}}",
        "2 | {'bool':{'_name':'b','filter':[{'term':{'k':{'value':'a','_name':'t'}}}]}}",
        "3 | {'bool':{'should':[{'match_all':{}},{'constant_score':{'filter':{'match_all':{}}}}]}}",
        "3 | {'dis_max':{'queries':[{'bool':{'must_not':{'match_none':{}}}}]}}",
        "2 | {'boosting':{'positive':{'match_all':{}},'negative':{'match_all':{}},'negative_boost':1}}",
        "2 | {'function_score':{'functions':[{'filter':{'match_all':{}},'weight':2}]}}",
        "2 | {'nested':{'path':'p','query':{'match_all':{}}}}",
      })
  void theDepthOfAQueryIsLimited(int depth, String query) {
    for (String body :
        List.of(
            "{'query':" + query + "}",
            "{'post_filter':" + query + "}",
            "{'aggs':{'a':{'filter':" + query + "}}}")) {
      RequestLimits.check(withDepth(depth), request(body));
      assertThatThrownBy(() -> RequestLimits.check(withDepth(depth - 1), request(body)))
          .isInstanceOf(ApiException.class)
          .hasMessageContaining("[indices.query.bool.max_nested_depth]");
    }
  }

  private static ClusterState withDepth(int depth) {
    return ClusterState.EMPTY.apply(
        new ClusterEvent.ClusterSettingsChanged(
            Map.of(ClusterSettings.MAX_NESTED_DEPTH, Integer.toString(depth)), Map.of()));
  }

  private static SearchRequest request(String body) {
    return SearchRequest.parse(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Map.of());
  }
}
