package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.ScoreDoc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of hits in index order contain each hit once, and only the first one counts them. */
class FirstDocumentsTest {

  private static final int DOCUMENTS = 100;

  private SearchedIndex index;

  @BeforeEach
  void severalSegments() throws IOException {
    index = new SearchedIndex("{\"properties\":{\"n\":{\"type\":\"long\"}}}");
    for (int i = 0; i < DOCUMENTS; i++) {
      index.add(Integer.toString(i), "{\"n\":" + i % 10 + "}");
      if (i % 17 == 16) {
        index.segment();
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1   | {"match_all":{}}          | 0 | 9
          7   | {"match_all":{}}          | 0 | 9
          17  | {"match_all":{}}          | 0 | 9
          200 | {"match_all":{}}          | 0 | 9
          3   | {"range":{"n":{"gte":8}}} | 8 | 9
          5   | {"term":{"n":3}}          | 3 | 3
          4   | {"term":{"n":77}}         | 1 | 0
          """)
  void pagesContainEachHitOnce(int size, String query, int least, int most) throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      if (i % 10 >= least && i % 10 <= most) {
        expected.add(Integer.toString(i));
      }
    }
    String body =
        "{\"size\":" + size + ",\"track_total_hits\":true,\"sort\":[\"_doc\"],\"query\":" + query;
    List<String> found = new ArrayList<>();
    ScoreDoc last = null;
    for (int page = 0; page <= DOCUMENTS / size + 1; page++) {
      FoundPage next = index.find(body + "}", SearchExecution.plain().after(last));
      ShardSearchResult result = next.read(Integer.MAX_VALUE);
      if (page == 0) {
        assertThat(result.total()).isEqualTo(expected.size());
        assertThat(result.exact()).isTrue();
      }
      result.hits().forEach(hit -> found.add(hit.id()));
      last = next.last(next.size(), last);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void continuesAfterThePlaceThatAClientGives() {
    assertThat(idsAfter("41")).containsExactly("42", "43", "44");
    assertThat(idsAfter("-5")).containsExactly("0", "1", "2");
    assertThat(idsAfter("98")).containsExactly("99");
    assertThat(idsAfter("99")).isEmpty();
    assertThat(idsAfter("2147483647")).isEmpty();
  }

  private List<String> idsAfter(String place) {
    return index.ids("{\"size\":3,\"sort\":[\"_doc\"],\"search_after\":[" + place + "]}");
  }

  @Test
  void countsUpToTheLimit() {
    ShardSearchResult found =
        index.search("{\"size\":3,\"track_total_hits\":20,\"sort\":[\"_doc\"]}");
    assertThat(found.total()).isGreaterThan(20);
    assertThat(found.exact()).isFalse();
    assertThat(found.hits()).extracting(ShardHit::sortValues).contains(List.of(0L), List.of(2L));
  }

  @Test
  void scoresAreAddedIfRequested() {
    ShardSearchResult found =
        index.search("{\"size\":2,\"track_scores\":true,\"sort\":[\"_doc\"]}");
    assertThat(found.maxScore()).isEqualTo(1);
    assertThat(found.hits()).extracting(ShardHit::score).containsExactly(1f, 1f);
  }
}
