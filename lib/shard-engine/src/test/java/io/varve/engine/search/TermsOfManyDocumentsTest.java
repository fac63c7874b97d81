package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Terms of documents in a range have the same counts, whether the matching documents are visited or
 * the other ones are subtracted from the document frequencies.
 */
class TermsOfManyDocumentsTest {

  private static final String MAPPING =
      """
      {"properties":{"k":{"type":"keyword"},"n":{"type":"integer"},"l":{"type":"long"},
       "some":{"type":"integer"}}}
      """;
  private static final int DOCUMENTS = 600;

  private final Random random = new Random(11);
  private final List<List<String>> keywords = new ArrayList<>();
  private SearchedIndex index;

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  private void open() throws IOException {
    index = new SearchedIndex(MAPPING);
    for (int i = 0; i < DOCUMENTS; i++) {
      List<String> own = new ArrayList<>();
      for (int left = random.nextInt(3); left > 0; left--) {
        own.add("\"k" + random.nextInt(6) + "\"");
      }
      if (i == 3) {
        own.add("\"once\"");
      }
      keywords.add(own);
      index.add(
          Integer.toString(i),
          "{\"k\":"
              + own
              + ",\"n\":"
              + (i - 50)
              + ",\"l\":"
              + (i - 50)
              + (i % 2 == 0 ? ",\"some\":" + i : "")
              + "}");
      if (i == 250) {
        index.segment();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-50, 549",
    "-1000, 1000",
    "-49, 549",
    "-50, 548",
    "-40, 540",
    "-46, 549",
    "0, 549",
    "100, 120",
    "600, 700",
    "-30, 190"
  })
  void countsAreThoseOfTheMatchingDocuments(int from, int to) throws IOException {
    open();
    for (String field : List.of("n", "l")) {
      assertThat(
              counts("{\"range\":{\"" + field + "\":{\"gte\":" + from + ",\"lte\":" + to + "}}}"))
          .isEqualTo(expected(i -> i - 50 >= from && i - 50 <= to));
    }
  }

  @Test
  void documentsWithoutAValueDoNotMatch() throws IOException {
    open();
    assertThat(counts("{\"range\":{\"some\":{\"gte\":4}}}"))
        .isEqualTo(expected(i -> i % 2 == 0 && i >= 4));
  }

  @Test
  void documentsWithSeveralValuesMatchByAnyOfThem() throws IOException {
    open();
    index.add("more", "{\"k\":\"k1\",\"n\":[-1000,5,1000]}").segment();
    Map<String, Integer> expected = expected(i -> i >= 60);
    expected.merge("k1", 1, Integer::sum);
    assertThat(counts("{\"range\":{\"n\":{\"gte\":10}}}")).isEqualTo(expected);
  }

  @Test
  void deletedDocumentsAreNotCounted() throws IOException {
    open();
    index.delete("300").delete("10");
    assertThat(counts("{\"range\":{\"n\":{\"gte\":-45}}}"))
        .isEqualTo(expected(i -> i >= 5 && i != 10 && i != 300));
  }

  private Map<String, Integer> expected(IntPredicate matches) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      if (matches.test(i)) {
        new TreeSet<>(keywords.get(i))
            .forEach(key -> counts.merge(key.replace("\"", ""), 1, Integer::sum));
      }
    }
    return counts;
  }

  private Map<String, Integer> counts(String query) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    Map<?, ?> terms = index.aggregated(query, "{\"terms\":{\"field\":\"k\",\"size\":100}}");
    for (Object bucket : (List<?>) terms.get("buckets")) {
      Map<?, ?> of = (Map<?, ?>) bucket;
      counts.put((String) of.get("key"), ((Number) of.get("doc_count")).intValue());
    }
    return counts;
  }
}
