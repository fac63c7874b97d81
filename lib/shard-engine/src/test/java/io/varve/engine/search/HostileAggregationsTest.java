package io.varve.engine.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of aggregations and highlighting is bounded for any request. */
class HostileAggregationsTest {

  private SearchedIndex index;

  @BeforeEach
  void addDocuments() throws IOException {
    index =
        new SearchedIndex("{\"properties\":{\"n\":{\"type\":\"long\"},\"t\":{\"type\":\"text\"}}}");
    for (int i = 0; i < 100; i++) {
      index.add("" + i, "{\"n\":" + i + ",\"t\":\"layers of sand\"}");
    }
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  /** Each digest could take up to 2.7 MB, 27 GB in total. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'percentiles':{'field':'n','tdigest':{'compression':10000}}}",
        "{'median_absolute_deviation':{'field':'n','compression':10000}}",
        "{'percentiles':{'field':'n','hdr':{'number_of_significant_value_digits':5}}}"
      })
  void bucketsWithoutDocumentsShareOneDigest(String digest) throws IOException {
    String filters = listed(10_000, i -> "{'term':{'n':" + (1000 + i) + "}}");
    Map<?, ?> answer =
        index.aggregated(
            json("{'filters':{'filters':[" + filters + "]},'aggs':{'p':" + digest + "}}"));
    assertThat((Iterable<?>) answer.get("buckets")).hasSize(10_000);
  }

  @Test
  void theBreakerRejectsTooManyDigests() {
    MemoryBreaker breaker = new MemoryBreaker(() -> 20L << 20, () -> Long.MAX_VALUE);
    ShardSearcher searcher = new ShardSearcher(breaker, SearchSlices.none(), () -> 0);
    String body = percentiles("{'tdigest':{'compression':10000}}");
    assertThatThrownBy(() -> index.search(body, searcher))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(429));
    assertThat(breaker.usedBytes()).isZero();
  }

  @Test
  void histogramsOfFewValuesNeedLittleMemoryWithAnyNumberOfDigits() {
    MemoryBreaker breaker = new MemoryBreaker(() -> 1L << 20, () -> Long.MAX_VALUE);
    ShardSearcher searcher = new ShardSearcher(breaker, SearchSlices.none(), () -> 0);
    String body = percentiles("{'hdr':{'number_of_significant_value_digits':5}}");
    assertThat(index.search(body, searcher).aggregations()).isNotNull();
    assertThat(breaker.usedBytes()).isZero();
  }

  /** Each slice has a small histogram; merging two of them takes more than 20 MB. */
  @Test
  void theBreakerRejectsLargeMergesOfHistogramsOfSlices() throws IOException {
    index.segment();
    index.add("more", "{\"n\":5}");
    MemoryBreaker breaker = new MemoryBreaker(() -> 8L << 20, () -> Long.MAX_VALUE);
    String body =
        json(
            "{'aggs':{'p':{'percentiles':{'field':'n',"
                + "'hdr':{'number_of_significant_value_digits':5}}}}}");
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      SearchSlices slices = new SearchSlices(threads, () -> "all", () -> 2);
      ShardSearcher searcher = new ShardSearcher(breaker, slices, () -> 0);
      assertThatThrownBy(() -> index.search(body, searcher))
          .isInstanceOfSatisfying(
              ApiException.class, e -> assertThat(e.error().status()).isEqualTo(429));
    }
    assertThat(breaker.usedBytes()).isZero();
  }

  /** Percentiles in each of 100 buckets with one document. */
  private static String percentiles(String method) {
    return json(
        "{'aggs':{'b':{'terms':{'field':'n','size':100},'aggs':{'p':{'percentiles':"
            + "{'field':'n',"
            + method.substring(1, method.length() - 1)
            + "}}}}}}");
  }

  @Test
  void limitsTheFiltersOfAnAdjacencyMatrix() throws IOException {
    assertThat((Iterable<?>) index.aggregated(matrix(100)).get("buckets")).hasSize(100);
    assertRefused(matrix(101), "[100] but was [101]");
    index.settings(Map.of("index.max_adjacency_matrix_filters", "3"));
    assertThat((Iterable<?>) index.aggregated(matrix(3)).get("buckets")).hasSize(3);
    assertRefused(matrix(4), "[3] but was [4]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unified", "plain"})
  void marksATextInAnyNumberOfFragments(String type) {
    String body =
        json(
            "{'query':{'match':{'t':'sand'}},'highlight':{'number_of_fragments':2147483647,"
                + "'type':'"
                + type
                + "','fragment_size':2147483647,'fields':{'t':{}}}}");
    byte[] marked = index.search(body).hits().getFirst().extras().parts().getFirst().json();
    assertThat(new String(marked, UTF_8)).contains("layers of <em>sand</em>");
  }

  private void assertRefused(String aggregation, String reason) {
    assertThatThrownBy(() -> index.aggregated(aggregation))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(400);
              assertThat(e.error().reason())
                  .contains(reason, "[index.max_adjacency_matrix_filters]");
            });
  }

  private static String matrix(int filters) {
    String each = listed(filters, i -> "'f" + i + "':{'term':{'n':" + i % 100 + "}}");
    return json("{'adjacency_matrix':{'filters':{" + each + "}}}");
  }

  private static String listed(int count, IntFunction<String> item) {
    return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(","));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
