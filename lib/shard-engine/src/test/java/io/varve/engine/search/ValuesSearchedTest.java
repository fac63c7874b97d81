package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValuesSearchedTest {

  private static String sort(String field, String mode, String order) {
    return "{\"sort\":[{\"%s\":{\"mode\":\"%s\",\"order\":\"%s\"}}]}".formatted(field, mode, order);
  }

  @Test
  void unsignedNumbersSupportAllSortModes() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"n\":{\"type\":\"unsigned_long\"}}}")) {
      index
          .add("a", "{\"n\":[13835058055282163712,1]}")
          .add("b", "{\"n\":[13835058055282163715,13835058055282163716,2]}")
          .add("c", "{\"n\":[13835058055282163722,5,6,7]}");
      assertThat(shown(index, sort("n", "median", "asc")))
          .containsExactly("c=7", "a=6917529027641081857", "b=13835058055282163715");
      assertThat(shown(index, sort("n", "sum", "desc")))
          .containsExactly(
              "c=13835058055282163740", "a=13835058055282163713", "b=9223372036854775817");
      assertThat(shown(index, sort("n", "avg", "asc")))
          .containsExactly(
              "b=3074457345618258606", "c=3458764513820540935", "a=6917529027641081857");
    }
  }

  private static List<String> shown(SearchedIndex index, String body) {
    return index.search(body).hits().stream()
        .map(hit -> hit.id() + "=" + hit.sortValues().getFirst())
        .toList();
  }

  @Test
  void textWithFielddataIsSortedByItsLeastOrGreatestTerm() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"t\":{\"type\":\"text\",\"fielddata\":true}}}")) {
      index.add("a", "{\"t\":\"pear apple\"}").segment().add("b", "{\"t\":\"quince banana\"}");
      assertThat(shown(index, "{\"sort\":[\"t\"]}")).containsExactly("a=apple", "b=banana");
      assertThat(shown(index, "{\"sort\":[{\"t\":\"desc\"}]}"))
          .containsExactly("b=quince", "a=pear");
    }
  }

  @Test
  void patternsFindValuesThatAreNotIndexed() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"k\":{\"type\":\"keyword\",\"index\":false}}}")) {
      index.add("a", "{\"k\":\"Foo\"}").add("b", "{\"k\":\"foo\"}").add("c", "{\"k\":\"bar\"}");
      assertThat(index.matching("{\"term\":{\"k\":{\"value\":\"FOO\",\"case_insensitive\":true}}}"))
          .containsExactly("a", "b");
      assertThat(index.matching("{\"prefix\":{\"k\":\"fo\"}}")).containsExactly("b");
      assertThat(index.matching("{\"wildcard\":{\"k\":\"*o\"}}")).containsExactly("a", "b");
      assertThat(index.matching("{\"regexp\":{\"k\":\"[Ff]oo\"}}")).containsExactly("a", "b");
      assertThat(index.matching("{\"fuzzy\":{\"k\":\"baz\"}}")).containsExactly("c");
    }
  }

  @Test
  void termsSetOnNumbersReadsTheMinimumFromAField() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex(
            "{\"properties\":{\"n\":{\"type\":\"long\"},\"least\":{\"type\":\"integer\"}}}")) {
      index
          .add("a", "{\"n\":[1,2],\"least\":2}")
          .add("b", "{\"n\":[1],\"least\":2}")
          .add("c", "{\"n\":[1]}");
      assertThat(
              index.matching(
                  "{\"terms_set\":{\"n\":{\"terms\":[1,2],"
                      + "\"minimum_should_match_field\":\"least\"}}}"))
          .containsExactly("a");
    }
  }

  @Test
  void aQueryOnAKeywordMayContainSeveralWords() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex(
            "{\"properties\":{\"k\":{\"type\":\"keyword\","
                + "\"split_queries_on_whitespace\":true}}}")) {
      index.add("a", "{\"k\":\"red\"}").add("b", "{\"k\":\"blue\"}").add("c", "{\"k\":\"x y\"}");
      assertThat(index.matching("{\"match\":{\"k\":\"blue red\"}}")).containsExactly("a", "b");
    }
  }

  @Test
  void phrasesAreFoundByIndexedWordPairs() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"t\":{\"type\":\"text\",\"index_phrases\":true}}}")) {
      index.add("a", "{\"t\":\"the new york town\"}").add("b", "{\"t\":\"york is a new town\"}");
      assertThat(index.matching("{\"match_phrase\":{\"t\":\"new york town\"}}"))
          .containsExactly("a");
      assertThat(index.matching("{\"match_phrase\":{\"t\":\"new town\"}}")).containsExactly("b");
      assertThat(index.matching("{\"match_phrase\":{\"t\":{\"query\":\"new town\",\"slop\":1}}}"))
          .containsExactly("a", "b");
    }
  }

  @Test
  void searchAfterRefusesNullForANumber() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex(
            "{\"properties\":{\"n\":{\"type\":\"long\"},\"k\":{\"type\":\"keyword\"}}}")) {
      index.add("a", "{\"n\":1,\"k\":\"x\"}").add("b", "{}");
      for (String sort : List.of("n", "_score", "_doc")) {
        assertThatThrownBy(
                () -> index.search("{\"sort\":[\"%s\"],\"search_after\":[null]}".formatted(sort)))
            .isInstanceOf(ApiException.class)
            .hasMessageContaining("search_after");
      }
      assertThat(index.ids("{\"sort\":[{\"k\":{\"missing\":\"_first\"}}],\"search_after\":[null]}"))
          .containsExactly("a");
    }
  }

  @Test
  void searchAfterAcceptsADistance() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}")) {
      index.add("a", "{\"p\":\"1,1\"}").add("b", "{\"p\":\"2,2\"}").add("c", "{\"p\":\"3,3\"}");
      String sort = "\"sort\":[{\"_geo_distance\":{\"p\":\"0,0\",\"unit\":\"km\"}}]";
      Object first = index.search("{" + sort + "}").hits().getFirst().sortValues().getFirst();
      assertThat(index.ids("{" + sort + ",\"search_after\":[" + first + "]}"))
          .containsExactly("b", "c");
    }
  }

  @Test
  void terminateAfterLimitsTheDocumentsOfGroups() throws IOException {
    try (SearchedIndex index =
        new SearchedIndex("{\"properties\":{\"k\":{\"type\":\"keyword\"}}}")) {
      index
          .add("a", "{\"k\":\"x\"}")
          .add("b", "{\"k\":\"x\"}")
          .add("c", "{\"k\":\"y\"}")
          .add("d", "{}");
      ShardSearchResult some =
          index.search("{\"terminate_after\":2,\"collapse\":{\"field\":\"k\"}}");
      assertThat(some.hits()).extracting(ShardHit::id).containsExactly("a");
      assertThat(some.total()).isEqualTo(2);
      assertThat(some.cut()).isEqualTo(ShardSearchResult.Cut.TERMINATE_AFTER);
      assertThat(index.ids("{\"collapse\":{\"field\":\"k\"}}")).containsExactly("a", "c", "d");
    }
  }

  @Test
  void adjacentDocumentsHaveTheSameHitsAsScatteredOnes() throws IOException {
    try (SearchedIndex index = new SearchedIndex("{\"properties\":{\"n\":{\"type\":\"long\"}}}")) {
      for (int i = 0; i < 2000; i++) {
        index.add("d" + i, "{\"n\":%d,\"text\":\"%s\"}".formatted(i, "word ".repeat(i % 50)));
        if (i == 700 || i == 705) {
          index.segment();
        }
      }
      for (String sort : List.of("{\"n\":\"asc\"}", "{\"n\":\"desc\"}")) {
        for (ShardHit hit : index.search("{\"size\":1500,\"sort\":[%s]}".formatted(sort)).hits()) {
          assertThat(new String(hit.source(), StandardCharsets.UTF_8))
              .startsWith("{\"n\":%s,".formatted(hit.id().substring(1)));
        }
      }
    }
  }
}
