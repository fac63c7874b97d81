package io.varve.search.aggregation.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AggregationBodiesTest {

  private static SearchRequest parse(String body) {
    return SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private static String nested(int depth) {
    return "{\"aggs\":{\"a\":{\"global\":{}}}}"
        .replace(
            "\"global\":{}",
            "\"filter\":{\"match_all\":{}}"
                + ",\"aggs\":{\"a\":{\"filter\":{\"match_all\":{}}".repeat(depth - 1)
                + "}}".repeat(depth - 1));
  }

  @Test
  void aggregationsCanBeNestedUpToTheLimit() {
    assertThat(parse(nested(64)).aggregations().isEmpty()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {65, 200, 5_000, 100_000})
  void deeperNestingIsRefusedWithoutAStackOverflow(int depth) {
    assertThatThrownBy(() -> parse(nested(depth)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(400));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'significant_terms':{'field':'f','jlp':{}}}"
            + "| [significant_terms] unknown field [jlp] did you mean [jlh]?",
        "{'rare_terms':{'field':'f','max_doc_count':0}}"
            + "| [max_doc_count] must be greater than 0. Found [0] in [x]",
        "{'rare_terms':{'field':'f','max_doc_count':101}}"
            + "| [max_doc_count] must be smaller than 100 in [x]",
        "{'variable_width_histogram':{'field':'f','buckets':0}}"
            + "| buckets must be greater than [0] for [x]",
        "{'variable_width_histogram':{'field':'f','buckets':9,'shard_size':3}}"
            + "| 3/4 of shard_size must be at least buckets but was [2<9] for [x]",
        "{'top_hits':{'highlights':{}}}" + "| Unknown key for a START_OBJECT in [highlights].",
        "{'top_hits':{},'aggs':{'y':{'global':{}}}}"
            + "| Aggregator [x] of type [top_hits] cannot accept sub-aggregations",
        "{'terms':{'field':'f','order':{'y':'asc'}},'aggs':{'y':{'top_hits':{}}}}"
            + "| Buckets can only be sorted on a sub-aggregator path",
      })
  void reportsInvalidAggregations(String aggregation, String expected) {
    String body = "{'aggs':{'x':" + aggregation + "}}";
    assertThatThrownBy(() -> parse(body.replace('\'', '"')))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().reason()).contains(expected));
  }

  @Test
  void deprecatedSpellingsCauseWarnings() {
    assertThat(
            parse("{\"aggs\":{\"x\":{\"date_histogram\":{\"field\":\"f\",\"interval\":\"day\"}}}}")
                .aggregations()
                .warnings())
        .containsExactly(
            "[interval] on [date_histogram] is deprecated, use [fixed_interval] or"
                + " [calendar_interval] in the future.");
  }
}
