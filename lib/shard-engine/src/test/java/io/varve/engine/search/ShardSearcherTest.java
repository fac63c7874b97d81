package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.hits.ShardHit;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardSearcherTest {

  private static final String MAPPING =
      """
      {"properties":{
       "title":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":20}}},
       "plain":{"type":"text","norms":false},
       "tag":{"type":"keyword"},"lower":{"type":"keyword","normalizer":"lowercase"},
       "values":{"type":"keyword","index":false},"terms":{"type":"keyword","doc_values":false},
       "none":{"type":"keyword","index":false,"doc_values":false},
       "n":{"type":"long"},"i":{"type":"integer"},"b":{"type":"byte"},
       "d":{"type":"double"},"f":{"type":"float"},"h":{"type":"half_float"},
       "s":{"type":"scaled_float","scaling_factor":100},"ok":{"type":"boolean"},
       "nv":{"type":"integer","index":false},
       "day":{"type":"date"},"ip":{"type":"ip"},"at":{"type":"geo_point"},
       "dflt":{"type":"keyword","null_value":"NONE"},
       "o":{"properties":{"x":{"type":"keyword"}}}}}
      """;

  private static SearchedIndex index;

  @BeforeAll
  static void open() throws Exception {
    index = new SearchedIndex(MAPPING);
    index
        .add(
            "1",
            """
            {"title":"The quick brown fox","plain":"alpha","tag":["a","b"],"lower":"ABC","values":"v1",
             "terms":"t1","n":10,"i":5,"b":1,"d":1.5,"f":1.5,"h":1.1,"s":12.34,"ok":true,"nv":7,
             "day":"2024-03-14T12:00:00Z","ip":"10.0.0.1","at":{"lat":52.5,"lon":13.4},"dflt":null}
            """)
        .add(
            "2",
            """
            {"title":"quick silver","tag":"b","lower":"abd","n":20,"i":-5,"d":-2.5,"f":2.5,"s":5,
             "ok":false,"day":"2024-03-15","ip":"10.0.1.1","at":"48.1,11.5","o":{"x":"y"}}
            """)
        .segment()
        .add(
            "3",
            """
            {"title":["brown bear","lazy dog"],"tag":"c","n":[5,30],"i":2147483647,"d":100,"s":14.999,
             "day":"2023-01-01","ip":"2001:db8::1","none":"x"}
            """)
        .add("4", "{\"other\":1}");
  }

  @AfterAll
  static void close() throws Exception {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"match_all":{}}                                                     ¦ 1,2,3,4
          {"match_none":{}}                                                    ¦ ~~
          {"match":{"title":"QUICK bear"}}                                     ¦ 1,2,3
          {"match":{"title":{"query":"quick brown","operator":"and"}}}         ¦ 1
          {"match":{"title":{"query":"quick brown fox","minimum_should_match":"67%"}}} ¦ 1
          {"match":{"title":{"query":"quikc","fuzziness":"AUTO"}}}             ¦ 1,2
          {"match":{"title":"the"}}                                            ¦ 1
          {"match":{"title":"!?"}}                                             ¦ ~~
          {"match":{"i":"5"}}                                                  ¦ 1
          {"match":{"day":"2024-03-15"}}                                       ¦ 2
          {"match":{"tag":"b"}}                                                ¦ 1,2
          {"match":{"i":{"query":"x","lenient":true}}}                         ¦ ~~
          {"match":{"missing":"x"}}                                            ¦ ~~
          {"match_phrase":{"title":"quick brown"}}                             ¦ 1
          {"match_phrase":{"title":"bear lazy"}}                               ¦ ~~
          {"match_phrase":{"title":{"query":"quick fox","slop":1}}}            ¦ 1
          {"multi_match":{"query":"b","fields":["tag","plain"]}}               ¦ 1,2
          {"multi_match":{"query":"alpha"}}                                    ¦ 1
          {"multi_match":{"query":"5"}}                                        ¦ 1,2,3
          {"term":{"title":"quick"}}                                           ¦ 1,2
          {"term":{"title":"Quick"}}                                           ¦ ~~
          {"term":{"title.raw":"quick silver"}}                                ¦ 2
          {"term":{"tag":{"value":"B","case_insensitive":true}}}               ¦ 1,2
          {"term":{"lower":"aBc"}}                                             ¦ 1
          {"term":{"values":"v1"}}                                             ¦ 1
          {"term":{"n":30}}                                                    ¦ 3
          {"term":{"n":30.5}}                                                  ¦ ~~
          {"term":{"h":1.1}}                                                   ¦ 1
          {"term":{"s":12.34}}                                                 ¦ 1
          {"term":{"nv":7}}                                                    ¦ 1
          {"term":{"ok":true}}                                                 ¦ 1
          {"term":{"ok":"false"}}                                              ¦ 2
          {"term":{"day":"2024"}}                                              ¦ 1,2
          {"term":{"ip":"10.0.0.0/16"}}                                        ¦ 1,2
          {"term":{"ip":"2001:db8::1"}}                                        ¦ 3
          {"term":{"dflt":"NONE"}}                                             ¦ 1
          {"term":{"_id":"2"}}                                                 ¦ 2
          {"term":{"o.x":"y"}}                                                 ¦ 2
          {"terms":{"tag":["a","c"]}}                                          ¦ 1,3
          {"terms":{"n":[5,"20",7.5]}}                                         ¦ 2,3
          {"terms":{"i":[5,-5]}}                                               ¦ 1,2
          {"terms":{"ip":["10.0.0.1","2001:db8::/32"]}}                        ¦ 1,3
          {"terms":{"values":["v1","v2"]}}                                     ¦ 1
          {"terms":{"f":[2.5]}}                                                ¦ 2
          {"terms":{"tag":[]}}                                                 ¦ ~~
          {"range":{"n":{"gte":10,"lt":20}}}                                   ¦ 1
          {"range":{"n":{"gt":9.5,"lte":20.9}}}                                ¦ 1,2
          {"range":{"i":{"gt":99999999999}}}                                   ¦ ~~
          {"range":{"i":{"lt":99999999999,"gt":5}}}                            ¦ 3
          {"range":{"b":{"gte":-1e300}}}                                       ¦ 1
          {"range":{"d":{"gt":-2.5}}}                                          ¦ 1,3
          {"range":{"d":{"gte":"-2.5","lt":1.5}}}                              ¦ 2
          {"range":{"f":{"gt":1.5}}}                                           ¦ 2
          {"range":{"s":{"gte":5,"lt":15}}}                                    ¦ 1,2
          {"range":{"s":{"gte":5,"lte":15}}}                                   ¦ 1,2,3
          {"range":{"nv":{"gte":7}}}                                           ¦ 1
          {"range":{"tag":{"gt":"a","lte":"b"}}}                               ¦ 1,2
          {"range":{"day":{"gte":"now-1d/d","lt":"now/d"}}}                    ¦ 1
          {"range":{"day":{"gte":"2024-03-14","lte":"2024-03-15"}}}            ¦ 1,2
          {"range":{"day":{"gt":"2023"}}}                                      ¦ 1,2
          {"range":{"day":{"lte":"01/01/2023","format":"dd/MM/yyyy"}}}         ¦ 3
          {"range":{"day":{"gte":"2024-03-15T01:00:00","time_zone":"+01:00"}}} ¦ 2
          {"range":{"ip":{"gt":"10.0.0.1","lte":"10.0.255.255"}}}              ¦ 2
          {"range":{"n":{}}}                                                   ¦ 1,2,3
          {"bool":{"must":[{"term":{"tag":"b"}}],"must_not":[{"term":{"n":10}}]}} ¦ 2
          {"bool":{"should":[{"term":{"tag":"a"}},{"term":{"tag":"c"}}]}}      ¦ 1,3
          {"bool":{"filter":[{"term":{"tag":"b"}}],"should":[{"term":{"tag":"a"}}]}} ¦ 1,2
          {"bool":{"filter":[{"term":{"tag":"b"}}],"should":[{"term":{"tag":"a"}}],"minimum_should_match":1}} ¦ 1
          {"bool":{"must_not":[{"exists":{"field":"tag"}}]}}                   ¦ 4
          {"bool":{}}                                                          ¦ 1,2,3,4
          {"bool":{"should":[{"match_all":{}}],"minimum_should_match":2}}      ¦ ~~
          {"exists":{"field":"title"}}                                         ¦ 1,2,3
          {"exists":{"field":"plain"}}                                         ¦ 1
          {"exists":{"field":"terms"}}                                         ¦ 1
          {"exists":{"field":"none"}}                                          ¦ ~~
          {"exists":{"field":"ip"}}                                            ¦ 1,2,3
          {"exists":{"field":"at"}}                                            ¦ 1,2
          {"exists":{"field":"o"}}                                             ¦ 2
          {"prefix":{"title":"qui"}}                                           ¦ 1,2
          {"prefix":{"tag":{"value":"A","case_insensitive":true}}}             ¦ 1
          {"wildcard":{"title.raw":"*silver"}}                                 ¦ 2
          {"wildcard":{"lower":"AB?"}}                                         ¦ 1,2
          {"wildcard":{"tag":{"value":"?","case_insensitive":true}}}           ¦ 1,2,3
          {"ids":{"values":["3","1","9"]}}                                     ¦ 1,3
          {"constant_score":{"filter":{"term":{"tag":"c"}}}}                   ¦ 3
          {"geo_bounding_box":{"at":{"top_left":[13,53],"bottom_right":[14,52]}}} ¦ 1
          {"geo_distance":{"distance":"10km","at":"48.1,11.5"}}                ¦ 2
          """)
  void finds(String query, String ids) {
    assertThat(String.join(",", index.matching(query))).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"query":{"term":{"n":"x"}}}                 ¦ query_shard_exception      ¦ failed to create query: For input string: "x"
          {"query":{"term":{"ip":"x"}}}                ¦ query_shard_exception      ¦ failed to create query: 'x' is not an IP string literal.
          {"query":{"term":{"none":"x"}}}              ¦ query_shard_exception      ¦ failed to create query: Cannot search on field [none] since it is not indexed.
          {"query":{"range":{"day":{"gte":"x"}}}}      ¦ parse_exception            ¦ failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]: [Failed to parse with all enclosed parsers]
          {"query":{"prefix":{"n":"1"}}}               ¦ query_shard_exception      ¦ Can only use prefix queries on keyword, text and wildcard fields - not on [n] which is of type [long]
          {"sort":["missing"]}                         ¦ query_shard_exception      ¦ No mapping found for [missing] in order to sort on
          {"sort":["title"]}                           ¦ illegal_argument_exception ¦ Text fields are not optimised for operations
          {"sort":["terms"]}                           ¦ illegal_argument_exception ¦ Can't load fielddata on [terms]
          {"sort":["n"],"search_after":["x"]}          ¦ illegal_argument_exception ¦ Failed to parse search_after value for field [n].
          """)
  void refusesQueriesThatTheMappingDoesNotSupport(String body, String type, String reason) {
    assertThatThrownBy(() -> index.search(body))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().reason()).startsWith(reason);
              assertThat(e.error().type()).isEqualTo(type);
              assertThat(e.error().status()).isEqualTo(400);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"n":"asc"}                        ¦ 3,1,2,4
          {"n":"desc"}                       ¦ 3,2,1,4
          {"n":{"order":"asc","mode":"max"}} ¦ 1,2,3,4
          {"n":{"missing":"_first"}}         ¦ 4,3,1,2
          {"n":{"missing":15}}               ¦ 3,1,4,2
          {"i":"asc"}                        ¦ 2,1,3,4
          {"i":"desc"}                       ¦ 3,1,2,4
          {"d":"asc"}                        ¦ 2,1,3,4
          {"f":"desc"}                       ¦ 2,1,3,4
          {"s":"desc"}                       ¦ 3,1,2,4
          {"day":"asc"}                      ¦ 3,1,2,4
          {"ok":"asc"}                       ¦ 2,1,3,4
          {"tag":"asc"}                      ¦ 1,2,3,4
          {"tag":"desc"}                     ¦ 3,1,2,4
          {"tag":{"order":"desc","missing":"_first"}} ¦ 4,3,1,2
          {"ip":"desc"}                      ¦ 3,2,1,4
          {"_doc":"desc"}                    ¦ 4,3,2,1
          {"x":{"unmapped_type":"long"}}     ¦ 1,2,3,4
          """)
  void sorts(String sort, String ids) {
    assertThat(String.join(",", index.ids("{\"sort\":[" + sort + "]}"))).isEqualTo(ids);
  }

  @Test
  void returnsSortValuesInOpenSearchsFormat() throws Exception {
    List<ShardHit> hits =
        index
            .search(
                """
                {"sort":["n","i","d","s","day","tag","ip","ok",{"nv":"desc"}],"size":10}
                """)
            .hits();
    assertThat(hits.get(1).sortValues())
        .isEqualTo(
            List.of(
                10L,
                5L,
                1.5,
                12.34,
                1710417600000L,
                "a",
                InetAddress.ofLiteral("10.0.0.1"),
                1L,
                7L));
    assertThat(hits.get(3).sortValues())
        .isEqualTo(
            Arrays.asList(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Double.POSITIVE_INFINITY,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                null,
                null,
                Long.MAX_VALUE,
                Long.MIN_VALUE));
    assertThat(hits.get(0).score()).isNaN();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"sort":["n"],"search_after":[5]}                        ¦ 1,2,4
          {"sort":[{"n":"desc"}],"search_after":["20"]}            ¦ 1,4
          {"sort":["day"],"search_after":["2024-03-14T12:00:00Z"]} ¦ 2,4
          {"sort":["day"],"search_after":[1710417600000]}          ¦ 2,4
          {"sort":["s"],"search_after":[12.34]}                    ¦ 3,4
          {"sort":["tag"],"search_after":["a"]}                    ¦ 2,3,4
          {"sort":["tag"],"search_after":[null]}                   ¦ ~~
          {"sort":["i"],"search_after":[-5]}                       ¦ 1,3,4
          {"sort":["ip"],"search_after":["10.0.0.1"]}              ¦ 2,3,4
          {"sort":["n"],"search_after":[9223372036854775807]}      ¦ ~~
          """)
  void searchAfterReturnsTheNextPage(String body, String ids) {
    assertThat(String.join(",", index.ids(body))).isEqualTo(ids);
  }

  @Test
  void scoresWithTheDefaultsOfBm25() {
    ShardSearchResult result = index.search("{\"query\":{\"match\":{\"title\":\"fox\"}}}");
    // idf = ln(1 + (3 - 1 + 0.5) / 1.5), tf = 1 / (1 + 1.2 × (0.25 + 0.75 × 4 / (10 / 3)))
    double expected = Math.log(1 + 2.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 4 / (10.0 / 3)));
    assertThat(result.maxScore())
        .isCloseTo((float) expected, org.assertj.core.data.Offset.offset(1e-5f));
    assertThat(result.hits().getFirst().score()).isEqualTo(result.maxScore());
    assertThat(
            index
                .search(
                    "{\"query\":{\"constant_score\":{\"filter\":{\"match_all\":{}},\"boost\":2}}}")
                .maxScore())
        .isEqualTo(2f);
  }

  @Test
  void cutsOffByScoreCountAndFilter() {
    assertThat(index.ids("{\"query\":{\"match\":{\"title\":\"quick fox\"}},\"min_score\":0.4}"))
        .containsExactly("1");
    assertThat(index.ids("{\"post_filter\":{\"term\":{\"tag\":\"b\"}}}")).containsExactly("1", "2");
    ShardSearchResult cut = index.search("{\"terminate_after\":2}");
    assertThat(cut.cut()).isEqualTo(Cut.TERMINATE_AFTER);
    assertThat(cut.hits()).hasSize(2);
    assertThat(index.search("{\"terminate_after\":4}").cut()).isEqualTo(Cut.NOTHING);
    assertThat(index.search("{\"timeout\":\"1m\"}").cut()).isEqualTo(Cut.NOTHING);
  }

  @Test
  void countsHitsUpToTheRequestedNumber() {
    assertThat(index.search("{\"size\":0}").total()).isEqualTo(4);
    assertThat(index.search("{\"size\":0}").exact()).isTrue();
    assertThat(index.search("{\"size\":0,\"query\":{\"range\":{\"n\":{\"gte\":10}}}}").total())
        .isEqualTo(3);
    assertThat(index.search("{\"size\":0}").hits()).isEmpty();
    assertThat(index.search("{\"size\":0}").maxScore()).isNaN();
    assertThat(index.search("{\"size\":0,\"track_total_hits\":2}").total()).isGreaterThan(2);
    assertThat(index.search("{\"track_total_hits\":false}").total())
        .isEqualTo(ShardSearchResult.NOT_COUNTED);
    ShardSearchResult few = index.search("{\"size\":1,\"track_total_hits\":1}");
    assertThat(few.exact()).isFalse();
    assertThat(few.hits()).hasSize(1);
  }

  @Test
  void hitsHaveSourceAndVersionIfRequested() {
    ShardHit hit =
        index
            .search(
                "{\"query\":{\"ids\":{\"values\":[\"4\"]}},\"version\":true,\"seq_no_primary_term\":true}")
            .hits()
            .getFirst();
    assertThat(new String(hit.source(), StandardCharsets.UTF_8)).isEqualTo("{\"other\":1}");
    assertThat(hit.stamp()).isEqualTo(new ShardHit.Stamp(3, 3, 1));
    assertThat(index.search("{\"_source\":false}").hits().getFirst().source()).isNull();
  }

  @Test
  void returnsScoresOfSortedHitsWhenRequested() {
    ShardSearchResult result =
        index.search(
            "{\"query\":{\"match\":{\"title\":\"quick\"}},\"sort\":[\"n\"],\"track_scores\":true}");
    assertThat(result.hits()).allSatisfy(hit -> assertThat(hit.score()).isPositive());
    assertThat(result.maxScore()).isPositive();
  }

  @Test
  void aPageBeyondTheLastHitHasNoHits() {
    assertThat(index.search("{\"from\":2,\"size\":5000}").hits()).hasSize(4);
  }

  @Test
  void sortsOfManyDocumentsAgreeWithTheirValues() throws Exception {
    try (SearchedIndex many = new SearchedIndex(MAPPING)) {
      for (int i = 0; i < 20_000; i++) {
        many.add("" + i, "{\"n\":" + (i * 7919L % 20_011) + ",\"i\":" + (i * 31 % 9973) + "}");
      }
      for (String field : List.of("n", "i")) {
        for (String order : List.of("asc", "desc")) {
          List<ShardHit> hits =
              many.search(
                      "{\"sort\":[{\""
                          + field
                          + "\":\""
                          + order
                          + "\"}],\"size\":50,\"track_total_hits\":100}")
                  .hits();
          List<Long> values = hits.stream().map(hit -> (Long) hit.sortValues().getFirst()).toList();
          assertThat(values)
              .isSortedAccordingTo(
                  order.equals("asc")
                      ? java.util.Comparator.naturalOrder()
                      : java.util.Comparator.reverseOrder());
          assertThat(values.getFirst())
              .isEqualTo(order.equals("asc") ? 0 : field.equals("n") ? 20_010 : 9972);
        }
      }
    }
  }
}
