package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.varve.rpc.ApiException;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the properties of hits besides their source, and the processing of hits after they are
 * found.
 */
class HitsShownTest {

  private SearchedIndex index;

  @BeforeEach
  void fill() throws IOException {
    index =
        new SearchedIndex(
            """
            {"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"integer"},
             "d":{"type":"date"},"p":{"type":"geo_point"}}}
            """);
    index.add(
        "1",
        """
        {"t":"the quick brown fox","k":"a","n":[1,9],"d":"2020-01-02","p":{"lat":1,"lon":1}}
        """);
    index.segment();
    index.add("2", "{\"t\":\"a quick answer\",\"k\":\"b\",\"n\":4,\"p\":{\"lat\":3,\"lon\":1}}");
    index.add("3", "{\"t\":\"nothing of it\",\"k\":\"a\",\"n\":7}");
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  private static @Nullable String part(ShardHit hit, String name) {
    for (ShardHit.Part part : hit.extras().parts()) {
      if (part.name().equals(name)) {
        return new String(part.json(), StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  private ShardHit first(String body) {
    return index.search(body).hits().getFirst();
  }

  @Test
  void fieldsComeFromTheSourceAndFromDocValuesInTheirFormats() {
    assertThat(
            part(
                first(
                    """
                    {"query":{"ids":{"values":["1"]}},
                     "fields":["t",{"field":"d","format":"yyyy"}],"docvalue_fields":["n"]}
                    """),
                "fields"))
        .isEqualTo("{\"n\":[1,9],\"t\":[\"the quick brown fox\"],\"d\":[\"2020\"]}");
    assertThatThrownBy(() -> index.search("{\"fields\":[{\"field\":\"k\",\"format\":\"yyyy\"}]}"))
        .hasMessageContaining("Field [k] of type [keyword] doesn't support formats.");
  }

  @Test
  void wordsThatWereFoundAreMarked() {
    String body =
        """
        {"query":{"match":{"t":"quick"}},
         "highlight":{"fields":{"t":{"type":"%s","pre_tags":"<b>","post_tags":"</b>"}}}}
        """;
    assertThat(part(first(body.formatted("unified")), "highlight")).contains("<b>quick</b>");
    assertThat(part(first(body.formatted("plain")), "highlight")).contains("<b>quick</b>");
  }

  @Test
  void hitsHaveTheNamesOfTheQueriesThatTheyMatch() {
    ShardHit hit =
        first(
            """
            {"query":{"bool":{"should":[
               {"match":{"t":{"query":"fox","_name":"fox"}}},
               {"term":{"k":{"value":"b","_name":"b"}}}]}},"sort":["k"]}
            """);
    assertThat(part(hit, "matched_queries")).isEqualTo("[\"fox\"]");
  }

  @Test
  void theValueOfAnExplanationIsTheScore() {
    ShardHit hit = first("{\"explain\":true,\"query\":{\"match\":{\"t\":\"fox\"}}}");
    assertThat(part(hit, "_explanation")).startsWith("{\"value\":" + hit.score());
  }

  @Test
  void onlyTheBestHitOfEachGroupIsReturned() {
    ShardSearchResult found =
        index.search("{\"collapse\":{\"field\":\"k\"},\"sort\":[{\"n\":\"desc\"}]}");
    assertThat(found.hits().stream().map(ShardHit::id)).containsExactly("1", "2");
    assertThat(found.hits().stream().map(hit -> hit.extras().group())).containsExactly("a", "b");
    assertThat(found.total()).isEqualTo(3);
  }

  @Test
  void theWindowIsRescoredAndOtherHitsFollow() {
    ShardSearchResult found =
        index.search(
            """
            {"query":{"match_all":{}},"rescore":{"window_size":2,"query":{
               "rescore_query":{"constant_score":{"filter":{"term":{"k":"b"}},"boost":3}},
               "query_weight":2}}}
            """);
    assertThat(found.hits().stream().map(ShardHit::id)).containsExactly("2", "1", "3");
    assertThat(found.hits().stream().map(ShardHit::score)).containsExactly(5f, 2f, 2f);
    assertThat(found.maxScore()).isEqualTo(5f);
  }

  @Test
  void sortsByCombinedValues() {
    assertThat(index.ids("{\"sort\":[{\"n\":{\"mode\":\"sum\",\"order\":\"desc\"}}]}"))
        .containsExactly("1", "3", "2");
    assertThat(index.ids("{\"sort\":[{\"n\":{\"mode\":\"avg\"}}]}")).containsExactly("2", "1", "3");
    ShardSearchResult near =
        index.search("{\"sort\":[{\"_geo_distance\":{\"p\":[1,1],\"unit\":\"km\"}}]}");
    assertThat(near.hits().stream().map(ShardHit::id)).containsExactly("1", "2", "3");
    assertThat((Double) near.hits().get(1).sortValues().getFirst()).isCloseTo(222.4, within(0.1));
  }

  @Test
  void aProfileContainsTheTimeOfEachPart() {
    byte[] profile =
        index.search("{\"profile\":true,\"query\":{\"match\":{\"t\":\"quick fox\"}}}").profile();
    assertThat(new String(profile, StandardCharsets.UTF_8))
        .contains("\"type\":\"BooleanQuery\"", "\"children\":", "\"rewrite_time\":");
  }

  @Test
  void limitsOfTheIndexApply() {
    String many =
        "\"docvalue_fields\":[" + String.join(",", Collections.nCopies(101, "\"n\"")) + "]";
    assertThatThrownBy(() -> index.search("{" + many + "}"))
        .hasMessageContaining("Must be less than or equal to: [100] but was [101]");
    assertThatThrownBy(
            () -> index.search("{\"query\":{\"regexp\":{\"k\":\"" + "a".repeat(1001) + "\"}}}"))
        .hasMessageContaining("[index.max_regex_length]");
    String ids = String.join(",", Collections.nCopies(65_537, "\"1\""));
    assertThatThrownBy(() -> index.search("{\"query\":{\"ids\":{\"values\":[" + ids + "]}}}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.error().toString()).contains("[index.max_terms_count]"));
    assertThatThrownBy(() ->
            index.search(
                "{\"rescore\":{\"window_size\":10001,\"query\":{\"rescore_query\":{\"match_all\":{}}}}}"))
        .hasMessageContaining("Rescore window [10001] is too large.");
  }

  @Test
  void queriesOfEveryFamilyFindTheMatchingDocuments() {
    assertThat(index.matching("{\"match_phrase_prefix\":{\"t\":\"quick br\"}}"))
        .containsExactly("1");
    assertThat(index.matching("{\"match_bool_prefix\":{\"t\":\"answer qui\"}}"))
        .containsExactly("1", "2");
    assertThat(index.matching("{\"fuzzy\":{\"t\":\"quikc\"}}")).containsExactly("1", "2");
    assertThat(index.matching("{\"regexp\":{\"k\":\"[ab]\"}}")).hasSize(3);
    assertThat(index.matching("{\"query_string\":{\"query\":\"t:quick AND NOT k:b\"}}"))
        .containsExactly("1");
    assertThat(index.matching("{\"query_string\":{\"query\":\"n:>6\"}}")).containsExactly("1", "3");
    assertThat(
            index.matching(
                "{\"simple_query_string\":{\"query\":\"quick"
                    + " -answer\",\"default_operator\":\"and\",\"fields\":[\"t\"]}}"))
        .containsExactly("1");
    assertThat(
            index.matching(
                "{\"intervals\":{\"t\":{\"match\":{\"query\":\"quick"
                    + " fox\",\"max_gaps\":1,\"mode\":\"ordered\"}}}}"))
        .containsExactly("1");
    assertThat(
            index.matching(
                "{\"span_near\":{\"clauses\":[{\"span_term\":{\"t\":\"quick\"}},{\"span_term\":{\"t\":\"fox\"}}],\"slop\":1}}"))
        .containsExactly("1");
    assertThat(index.matching("{\"geo_polygon\":{\"p\":{\"points\":[[0,0],[2,0],[2,2],[0,2]]}}}"))
        .containsExactly("1");
    assertThat(
            index.matching(
                "{\"dis_max\":{\"queries\":[{\"term\":{\"k\":\"b\"}},{\"match\":{\"t\":\"fox\"}}]}}"))
        .containsExactly("1", "2");
  }

  @Test
  void functionsComputeScores() {
    List<ShardHit> hits =
        index
            .search(
                """
                {"query":{"function_score":{"query":{"term":{"k":"a"}},"boost_mode":"replace",
                   "functions":[{"field_value_factor":{"field":"n","factor":2}},
                                {"filter":{"match":{"t":"fox"}},"weight":10}],
                   "score_mode":"sum"}}}
                """)
            .hits();
    assertThat(hits.stream().map(ShardHit::id)).containsExactly("3", "1");
    assertThat(hits.stream().map(ShardHit::score)).containsExactly(14f, 12f);
  }
}
