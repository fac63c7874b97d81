package io.varve.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.search.query.FullTextQuery;
import io.varve.search.query.GeoQuery;
import io.varve.search.query.HitsRequest;
import io.varve.search.query.Query;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Relation;
import io.varve.search.query.Query.TextOptions;
import io.varve.search.query.SortKey;
import io.varve.search.source.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchRequestTest {

  static SearchRequest parse(String body) {
    return SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private static SearchRequest parse(Map<String, String> parameters) {
    return SearchRequest.parse(new byte[0], parameters);
  }

  private static Query query(String json) {
    return parse("{\"query\":" + json + "}").query();
  }

  @Test
  void anEmptyBodyRequestsTheFirstTenHits() {
    SearchRequest request = parse("");
    assertThat(request.query()).isEqualTo(new Query.MatchAll(1));
    assertThat(request.page()).isEqualTo(new HitsRequest.Page(0, 10, null));
    assertThat(request.trackTotalHitsUpTo()).isEqualTo(10_000);
    assertThat(request.sortedByScore()).isTrue();
    assertThat(request.parts().source()).isEqualTo(SourceFilter.ALL);
  }

  @Test
  void readsQueries() {
    assertThat(query("{\"term\":{\"f\":\"x\"}}")).isEqualTo(new Query.Term("f", "x", false, 1));
    assertThat(query("{\"term\":{\"f\":{\"value\":3,\"boost\":2}}}"))
        .isEqualTo(new Query.Term("f", 3L, false, 2));
    assertThat(query("{\"terms\":{\"f\":[1,\"a\"],\"boost\":2}}"))
        .isEqualTo(new Query.Terms("f", List.of(1L, "a"), 2));
    assertThat(query("{\"match\":{\"f\":\"a b\"}}"))
        .isEqualTo(new Query.Match("f", "a b", TextOptions.DEFAULT, 1));
    assertThat(query("{\"range\":{\"f\":{\"gte\":5,\"lt\":15,\"format\":\"yyyy\"}}}"))
        .isEqualTo(
            new Query.Range(
                "f",
                new Bound(5L, true),
                new Bound(15L, false),
                "yyyy",
                null,
                Relation.INTERSECTS,
                1));
    assertThat(
            query(
                "{\"bool\":{\"must\":{\"match_all\":{}},\"filter\":[{\"exists\":{\"field\":\"f\"}}]}}"))
        .isEqualTo(
            new Query.Bool(
                List.of(new Query.MatchAll(1)),
                List.of(new Query.Exists("f", 1)),
                List.of(),
                List.of(),
                null,
                true,
                1));
    assertThat(query("{\"geo_distance\":{\"distance\":\"200km\",\"f\":[7,52]}}"))
        .isInstanceOfSatisfying(
            GeoQuery.Distance.class, q -> assertThat(q.meters()).isEqualTo(200_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"query":{"bogus":{}}}                           ¦ parsing_exception          ¦ unknown query [bogus]
          {"query":{}}                                     ¦ illegal_argument_exception ¦ query malformed, empty clause found
          {"query":[]}                                     ¦ parsing_exception          ¦ [_na] query malformed, must start with start_object
          {"query":{"match":"x"}}                          ¦ parsing_exception          ¦ [match] query malformed, no start_object after query name
          {"query":{"match_all":{},"x":{}}}                ¦ parsing_exception          ¦ [match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]
          {"query":{"match":{"a":"x","b":"y"}}}            ¦ parsing_exception          ¦ [match] query doesn't support multiple fields, found [a] and [b]
          {"query":{"match":{"a":{"query":"x","y":1}}}}    ¦ parsing_exception          ¦ [match] query does not support [y]
          {"query":{"term":{"a":[1]}}}                     ¦ parsing_exception          ¦ [term] query does not support array of values
          {"query":{"term":{"a":null}}}                    ¦ illegal_argument_exception ¦ value cannot be null
          {"query":{"range":{"a":{"x":1}}}}                ¦ parsing_exception          ¦ [range] query does not support [x]
          {"query":{"bool":{"must":[],"x":1}}}             ¦ parsing_exception          ¦ [bool] query does not support [x]
          {"query":{"exists":{}}}                          ¦ parsing_exception          ¦ [exists] must be provided with a [field]
          {"bogus":1}                                      ¦ parsing_exception          ¦ Unknown key for a VALUE_NUMBER in [bogus].
          {"bogus":{}}                                     ¦ parsing_exception          ¦ Unknown key for a START_OBJECT in [bogus].
          {"aggs":{"a":{}}}                                ¦ parsing_exception          ¦ Missing definition for aggregation [a]
          {"suggest":{"a":{}}}                             ¦ illegal_argument_exception ¦ [suggest] is not offered by Varve
          {"query":{"macht":{"a":"x"}}}                    ¦ parsing_exception          ¦ unknown query [macht] did you mean [match]?
          {"query":{"script":{}}}                          ¦ illegal_argument_exception ¦ [script] queries are not offered by Varve
          {"query":{"match":{}}}                           ¦ illegal_argument_exception ¦ [match] requires fieldName
          {"query":{"fuzzy":{"a":{"value":"x","fuzziness":7}}}} ¦ illegal_argument_exception ¦ Invalid fuzziness value: [7]
          {"query":{"prefix":{"a":{"value":"x","rewrite":"y"}}}} ¦ illegal_argument_exception ¦ Failed to parse rewrite_method [y]
          {"query":{"nested":{"query":{"match_all":{}}}}}  ¦ illegal_argument_exception ¦ [nested] requires 'path' field
          {"query":{"dis_max":{}}}                         ¦ parsing_exception          ¦ [dis_max] requires 'queries' field with at least one clause
          {"query":{"intervals":{"a":{"bogus":{}}}}}       ¦ parsing_exception          ¦ Unknown interval type [bogus]
          {"query":{"terms":{"a":[1],"b":[2]}}}            ¦ parsing_exception          ¦ [terms] query doesn't support multiple fields, found [a] and [b]
          {"query":{"span_near":{"clauses":[{"term":{"a":"x"}}]}}} ¦ parsing_exception  ¦ [span_near] [clauses] must be of type span query
          {"rescore":{"window_size":5}}                    ¦ parsing_exception          ¦ missing rescore type
          {"collapse":{"field":"a"},"rescore":{"query":{"rescore_query":{"match_all":{}}}}} ¦ illegal_argument_exception ¦ cannot use `collapse` in conjunction with `rescore`
          {"stored_fields":"_none_","_source":true}        ¦ search_exception           ¦ [stored_fields] cannot be disabled if [_source] is requested
          {"size":2147483648}                              ¦ input_coercion_exception   ¦ Numeric value (2147483648) out of range of int
          {"size":-1}                                      ¦ illegal_argument_exception ¦ [size] parameter cannot be negative, found [-1]
          {"from":-5}                                      ¦ illegal_argument_exception ¦ [from] parameter cannot be negative, found [-5]
          {"sort":[{"a":"up"}]}                            ¦ illegal_argument_exception ¦ Unknown SortOrder [up]
          {"sort":[{"a":{"x":1}}]}                         ¦ x_content_parse_exception  ¦ [1:20] [field_sort] unknown field [x]
          {"search_after":[1]}                             ¦ illegal_argument_exception ¦ Sort must contain at least one field.
          {"sort":["a"],"search_after":[1,2]}              ¦ illegal_argument_exception ¦ search_after has 2 value(s) but sort has 1.
          {"sort":["a"],"from":1,"search_after":[1]}       ¦ illegal_argument_exception ¦ `from` parameter must be set to 0 when `search_after` is used.
          {"track_total_hits":-2}                          ¦ illegal_argument_exception ¦ [track_total_hits] parameter must be positive or equals to -1, got -2
          {"terminate_after":-1}                           ¦ illegal_argument_exception ¦ terminateAfter must be > 0
          {"timeout":"5x"}                                 ¦ illegal_argument_exception ¦ failed to parse setting [timeout] with value [5x]
          {"query":                                        ¦ json_parse_exception       ¦ Unexpected end-of-input
          {"size":1,"size":2}                              ¦ json_parse_exception       ¦ Duplicate Object property "size"
          [1]                                              ¦ parsing_exception          ¦ Expected [START_OBJECT] but found [START_ARRAY]
          """)
  void refusesInTheDialectsWords(String body, String type, String reason) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().reason()).startsWith(reason);
              assertThat(e.error().type()).isEqualTo(type);
              assertThat(e.error().status()).isEqualTo(400);
            });
  }

  @Test
  void anUnknownQueryNamesItsPlaceAndCause() {
    assertThatThrownBy(() -> parse("{\"query\":\n {\"bogus\":{}}}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().fields()).containsEntry("line", 2).containsEntry("col", 11);
              assertThat(e.error().causedBy().type()).isEqualTo("named_object_not_found_exception");
            });
  }

  @Test
  void refusesQueriesThatAreTooDeep() {
    String deep = "{\"bool\":{\"must\":".repeat(200) + "{\"match_all\":{}}" + "}}".repeat(200);
    assertThatThrownBy(() -> query(deep)).hasMessageContaining("depth of the query");
  }

  @Test
  void readsSorts() {
    SearchRequest request =
        parse(
            "{\"sort\":[\"a\",{\"b\":\"desc\"},{\"c\":{\"order\":\"asc\",\"missing\":\"_first\",\"mode\":\"max\"}},\"_score\"]}");
    assertThat(request.sort())
        .containsExactly(
            SortKey.by("a", false),
            SortKey.by("b", true),
            new SortKey("c", false, SortKey.Mode.MAX, "_first", null),
            SortKey.by("_score", true));
    assertThat(parse(Map.of("sort", "a:desc,b")).sort())
        .containsExactly(SortKey.by("a", true), SortKey.by("b", false));
  }

  @Test
  void theUrlWinsOverTheBody() {
    SearchRequest request =
        SearchRequest.parse(
            "{\"size\":3,\"_source\":false,\"query\":{\"match_none\":{}}}"
                .getBytes(StandardCharsets.UTF_8),
            Map.of("size", "5", "_source_includes", "a,b", "track_total_hits", "true", "q", "*"));
    assertThat(request.page().size()).isEqualTo(5);
    assertThat(request.parts().source())
        .isEqualTo(new SourceFilter(true, List.of("a", "b"), List.of()));
    assertThat(request.trackTotalHitsUpTo()).isEqualTo(SearchRequest.ALL_HITS);
    assertThat(request.query()).isInstanceOf(FullTextQuery.QueryString.class);
  }

  @Test
  void readsTheQueryOfAUrl() {
    assertThat(parse(Map.of("q", "a:1 AND NOT b", "df", "c", "default_operator", "and")).query())
        .isInstanceOfSatisfying(
            FullTextQuery.QueryString.class,
            q -> {
              assertThat(q.text()).isEqualTo("a:1 AND NOT b");
              assertThat(q.fields()).containsExactly(new Query.FieldBoost("c", 1));
              assertThat(q.syntax().options().operator()).isEqualTo(Query.Operator.AND);
              assertThat(q.syntax().options().lenient()).isFalse();
            });
  }

  @Test
  void everyQueryMayHaveAName() {
    assertThat(query("{\"match\":{\"f\":{\"query\":\"x\",\"_name\":\"n\"}}}"))
        .isEqualTo(new Query.Named("n", new Query.Match("f", "x", TextOptions.DEFAULT, 1)));
    assertThat(query("{\"bool\":{\"_name\":\"n\"}}")).isInstanceOf(Query.Named.class);
    assertThat(query("{\"exists\":{\"field\":\"f\",\"_name\":\"n\"}}"))
        .isInstanceOf(Query.Named.class);
  }

  @Test
  void refusesPagesBeyondTheResultWindow() {
    SearchRequest request = parse("{\"from\":9995,\"size\":10}");
    assertThat(request.checkResultWindow(10_005)).isNull();
    assertThat(request.checkResultWindow(10_000).reason())
        .startsWith(
            "Result window is too large, from + size must be less than or equal to: [10000] but"
                + " was [10005].");
  }

  @Test
  void isUnchangedBySerialization() {
    SearchRequest request =
        SearchRequest.parse(
            "{\"query\":{\"term\":{\"f\":\"é\"}},\"sort\":[\"a\"],\"search_after\":[null]}"
                .getBytes(StandardCharsets.UTF_8),
            Map.of("size", "5", "preference", "_local"));
    ShardSearchRequest read =
        ShardSearchRequest.fromBytes(new ShardSearchRequest(request, 77).toBytes());
    assertThat(read.nowMillis()).isEqualTo(77);
    assertThat(read.search()).usingRecursiveComparison().isEqualTo(request);
  }
}
