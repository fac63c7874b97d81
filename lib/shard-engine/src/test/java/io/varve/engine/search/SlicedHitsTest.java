package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hits are independent of the number of concurrent slices. */
class SlicedHitsTest {

  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private SearchedIndex index;

  @BeforeEach
  void manySegments() throws IOException {
    index =
        new SearchedIndex(
            "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"}}}");
    Random random = new Random(7);
    for (int i = 0; i < 6000; i++) {
      index.add(
          Integer.toString(i),
          "{\"k\":\"k%d\",\"n\":%d}".formatted(random.nextInt(300), random.nextInt(100_000)));
      if (i % 500 == 499) {
        index.segment();
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    threads.shutdown();
    index.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"size\":50,\"sort\":[\"n\"],\"collapse\":{\"field\":\"k\"}}",
        "{\"size\":50,\"collapse\":{\"field\":\"k\"},"
            + "\"query\":{\"function_score\":{\"field_value_factor\":{\"field\":\"n\"}}}}",
        "{\"size\":50,\"sort\":[{\"n\":\"desc\"}]}",
        "{\"size\":50,\"sort\":[\"_doc\"]}",
        "{\"size\":50,\"sort\":[\"_doc\"],\"search_after\":[777]}",
        "{\"size\":50,\"query\":{\"function_score\":{\"field_value_factor\":{\"field\":\"n\"}}}}"
      })
  void hitsAreThoseOfOneSlice(String body) {
    SearchSlices none = SearchSlices.none();
    List<String> one = hits(body, none);
    assertThat(one).hasSize(50);
    for (int i = 0; i < 20; i++) {
      assertThat(hits(body, new SearchSlices(threads, () -> "all", () -> 4))).isEqualTo(one);
    }
  }

  @Test
  void concurrentSlicedSearchesAreCounted() {
    List<Integer> begun = new ArrayList<>();
    List<Integer> ended = new ArrayList<>();
    SearchExecution execution =
        SearchExecution.plain()
            .counted(slices -> {
              begun.add(slices);
              return () -> ended.add(slices);
            });
    String body = "{\"sort\":[\"n\"]}";

    index.search(body, searcher(SearchSlices.none()), execution);
    assertThat(begun).isEmpty();

    index.search(body, searcher(new SearchSlices(threads, () -> "all", () -> 4)), execution);
    assertThat(begun).containsExactly(4);
    assertThat(ended).containsExactly(4);
  }

  private static ShardSearcher searcher(SearchSlices slices) {
    return new ShardSearcher(MemoryBreaker.unbounded(), slices, () -> 0);
  }

  private List<String> hits(String body, SearchSlices slices) {
    return index.search(body, searcher(slices)).hits().stream().map(ShardHit::id).toList();
  }
}
