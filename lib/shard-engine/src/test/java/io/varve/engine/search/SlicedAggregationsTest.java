package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.events.Json;
import io.varve.search.AggregationReducer;
import io.varve.search.SearchRequest;
import io.varve.search.aggregation.result.ResultWriter;
import io.varve.search.aggregation.result.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;

/**
 * Slicing does not change results: random documents in random segments, on two shards, searched in
 * one slice and in several concurrent ones. Sizes are small enough that shards truncate terms, so
 * the error bounds of terms are compared too.
 */
class SlicedAggregationsTest {

  private static final String MAPPING =
      """
      {"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"t":{"type":"date"},
       "w":{"type":"text","fielddata":true}}}\
      """;

  private static final List<String> AGGREGATIONS =
      List.of(
          """
          {"terms":{"field":"k","size":3,"shard_size":4,"show_term_doc_count_error":true},
           "aggs":{"in":{"terms":{"field":"n","size":2,"shard_size":3}}}}\
          """,
          """
          {"terms":{"field":"k","size":3,"shard_size":4,"shard_min_doc_count":3,"min_doc_count":3,
           "order":{"s":"desc"}},"aggs":{"s":{"sum":{"field":"n"}}}}\
          """,
          """
          {"terms":{"field":"k","size":4,"execution_hint":"global_ordinals","order":{"_key":"asc"}}}\
          """,
          """
          {"terms":{"field":"k","size":30,"min_doc_count":0},
           "aggs":{"best":{"top_hits":{"size":2,"sort":[{"n":"desc"}],"_source":false}}}}\
          """,
          """
          {"terms":{"field":"k","size":3,"shard_size":4,"order":[{"_count":"desc"},{"_key":"desc"}]}}\
          """,
          """
          {"terms":{"field":"n","size":3,"shard_size":4,"order":[{"_count":"desc"},{"s":"asc"}]},
           "aggs":{"s":{"max":{"field":"t"}}}}\
          """,
          """
          {"multi_terms":{"terms":[{"field":"k"},{"field":"n"}],"size":3,"shard_size":5}}\
          """,
          """
          {"rare_terms":{"field":"k","max_doc_count":4}}\
          """,
          """
          {"terms":{"field":"w","size":3}}\
          """,
          """
          {"histogram":{"field":"n","interval":5},"aggs":{"k":{"cardinality":{"field":"k"}}}}\
          """,
          """
          {"auto_date_histogram":{"field":"t","buckets":7}}\
          """,
          """
          {"variable_width_histogram":{"field":"n","buckets":4}}\
          """,
          """
          {"composite":{"size":5,"sources":[{"k":{"terms":{"field":"k"}}},
           {"t":{"date_histogram":{"field":"t","calendar_interval":"day"}}}]}}\
          """,
          """
          {"filters":{"filters":{"a":{"term":{"k":"k1"}},"b":{"range":{"n":{"gt":5}}}}},
           "aggs":{"st":{"stats":{"field":"n"}},"best":{"top_hits":{"size":1}}}}\
          """);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void resultsAreThoseOfOneSlice(long seed) throws IOException {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<SearchedIndex> shards = List.of(shard(random, "a"), shard(random, "b"));
    int from = random.nextInt(20);
    String query =
        random.nextBoolean() ? "{\"match_all\":{}}" : "{\"range\":{\"n\":{\"gte\":" + from + "}}}";
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (String aggregation : AGGREGATIONS) {
        String body = "{\"size\":0,\"query\":" + query + ",\"aggs\":{\"it\":" + aggregation + "}}";
        Map<?, ?> one =
            answer(shards, body, searcher(new SearchSlices(threads, () -> "none", () -> 1)));
        for (int most : new int[] {0, 2, 3, 7}) {
          SearchSlices slices = new SearchSlices(threads, () -> "all", () -> most);
          assertThat(answer(shards, body, searcher(slices)))
              .as("seed %s, %s slices of %s", seed, most, aggregation)
              .isEqualTo(one);
        }
      }
    }
    for (SearchedIndex shard : shards) {
      shard.close();
    }
  }

  private static ShardSearcher searcher(SearchSlices slices) {
    return new ShardSearcher(MemoryBreaker.unbounded(), slices, () -> 0);
  }

  private static SearchedIndex shard(Random random, String name) throws IOException {
    SearchedIndex index = new SearchedIndex(MAPPING);
    int size = 20 + random.nextInt(150);
    for (int i = 0; i < size; i++) {
      index.add(
          name + i,
          "{\"k\":[\"k%d\",\"k%d\"],\"n\":%d,\"t\":%d,\"w\":\"w%d w%d\"}"
              .formatted(
                  random.nextInt(12),
                  random.nextInt(12),
                  random.nextInt(30),
                  1_700_000_000_000L + random.nextLong(40 * 86_400_000L),
                  random.nextInt(5),
                  random.nextInt(9)));
      if (random.nextInt(12) == 0) {
        index.segment();
      }
    }
    return index;
  }

  private static Map<?, ?> answer(List<SearchedIndex> shards, String body, ShardSearcher searcher)
      throws IOException {
    SearchRequest request = SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
    AggregationReducer reducer = new AggregationReducer(request.aggregations().tree());
    List<byte[]> answers = new ArrayList<>();
    for (SearchedIndex shard : shards) {
      answers.add(shard.search(body, searcher).toBytes());
    }
    answers.forEach(
        bytes -> reducer.add(io.varve.search.ShardSearchResult.fromBytes(bytes).aggregations()));
    Results results = reducer.finish(10_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.mapper().writer().createGenerator(out)) {
      new ResultWriter(true, false).write(results == null ? Results.NONE : results, json);
    }
    return Json.read(out.toByteArray(), Map.class);
  }
}
