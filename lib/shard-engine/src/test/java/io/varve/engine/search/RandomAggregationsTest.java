package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.search.AggregationReducer;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.aggregation.result.ResultWriter;
import io.varve.search.aggregation.result.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;

/**
 * Aggregations of random documents, spread over shards and segments and reduced over the wire, are
 * compared with a loop over all documents. Counting from points is possible for some of the queries
 * only.
 */
class RandomAggregationsTest {

  private static final String MAPPING =
      """
      {"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"d":{"type":"double"},
       "t":{"type":"date"},"s":{"type":"integer"}}}\
      """;
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
  private static final long START = Instant.parse("2023-03-20T00:00:00Z").toEpochMilli();

  private record Doc(List<String> keywords, List<Long> numbers, double decimal, long time, int s) {
    String json() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("k", keywords);
      map.put("n", numbers);
      map.put("d", decimal);
      map.put("t", time);
      map.put("s", s);
      return new String(Json.write(map), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void resultsAreThoseOfALoopOverAllDocuments(long seed) throws IOException {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Doc> docs = new ArrayList<>();
    List<SearchedIndex> shards = new ArrayList<>();
    for (int shard = 0; shard < 3; shard++) {
      SearchedIndex index = new SearchedIndex(MAPPING);
      int size = random.nextInt(120);
      for (int i = 0; i < size; i++) {
        Doc doc = doc(random);
        docs.add(doc);
        index.add(shard + "-" + i, doc.json());
        if (random.nextInt(30) == 0) {
          index.segment();
        }
      }
      shards.add(index);
    }
    long from = START + random.nextLong(10 * 86_400_000L);
    int most = random.nextInt(10);
    compare(shards, docs, "{\"match_all\":{}}");
    compare(
        shards,
        docs.stream().filter(doc -> doc.time >= from).toList(),
        "{\"range\":{\"t\":{\"gte\":" + from + "}}}");
    compare(
        shards,
        docs.stream().filter(doc -> doc.s <= most).toList(),
        "{\"range\":{\"s\":{\"lte\":" + most + "}}}");
    for (SearchedIndex shard : shards) {
      shard.close();
    }
  }

  private static Doc doc(Random random) {
    List<String> keywords = new ArrayList<>();
    for (int left = random.nextInt(3); left > 0; left--) {
      keywords.add("k" + random.nextInt(12));
    }
    List<Long> numbers = new ArrayList<>();
    for (int left = random.nextInt(3); left > 0; left--) {
      numbers.add(random.nextLong(-40, 60));
    }
    return new Doc(
        keywords,
        numbers,
        random.nextInt(1000) / 8.0,
        START + random.nextLong(20 * 86_400_000L),
        random.nextInt(10));
  }

  private static void compare(List<SearchedIndex> shards, List<Doc> docs, String query)
      throws IOException {
    compareTerms(shards, docs, query);
    compareHistograms(shards, docs, query);
    compareFigures(shards, docs, query);
  }

  private static void compareTerms(List<SearchedIndex> shards, List<Doc> docs, String query)
      throws IOException {
    Map<?, ?> found =
        aggregate(
            shards,
            query,
            """
            {"k":{"terms":{"field":"k","size":100},"aggs":{"sum":{"sum":{"field":"d"}},
              "by":{"terms":{"field":"s","size":50,"order":{"_key":"desc"}}}}}}\
            """);
    Map<String, List<Doc>> groups = new TreeMap<>();
    docs.forEach(doc ->
        new TreeSet<>(doc.keywords)
            .forEach(k -> groups.computeIfAbsent(k, x -> new ArrayList<>()).add(doc)));
    List<String> order = new ArrayList<>(groups.keySet());
    order.sort((a, b) -> Integer.compare(groups.get(b).size(), groups.get(a).size()));
    List<Map<?, ?>> buckets = buckets(found, "k");
    assertThat(buckets.stream().map(bucket -> bucket.get("key")).toList()).isEqualTo(order);
    for (Map<?, ?> bucket : buckets) {
      List<Doc> group = groups.get(bucket.get("key"));
      assertThat(number(bucket, "doc_count")).isEqualTo(group.size());
      assertThat(number(bucket, "sum", "value"))
          .isCloseTo(
              group.stream().mapToDouble(Doc::decimal).sum(),
              org.assertj.core.data.Offset.offset(1e-9));
      assertThat(counts(buckets(bucket, "by")))
          .isEqualTo(counted(group, doc -> List.of((double) doc.s)).reversed());
    }
  }

  private static void compareHistograms(List<SearchedIndex> shards, List<Doc> docs, String query)
      throws IOException {
    Map<?, ?> found =
        aggregate(
            shards,
            query,
            """
            {"h":{"histogram":{"field":"n","interval":7,"offset":2,"min_doc_count":1}},
             "f":{"histogram":{"field":"d","interval":12.5,"min_doc_count":1}},
             "day":{"date_histogram":{"field":"t","calendar_interval":"day","min_doc_count":1,
                    "time_zone":"Europe/Berlin"}},
             "six":{"date_histogram":{"field":"t","fixed_interval":"6h","min_doc_count":1}},
             "r":{"range":{"field":"d","ranges":[{"to":30},{"from":20,"to":80},{"from":80}]}}}\
            """);
    assertThat(counts(buckets(found, "h")))
        .isEqualTo(
            counted(
                docs,
                doc -> doc.numbers.stream().map(n -> Math.floorDiv(n - 2, 7L) * 7.0 + 2).toList()));
    assertThat(counts(buckets(found, "f")))
        .isEqualTo(counted(docs, doc -> List.of(Math.floor(doc.decimal / 12.5) * 12.5)));
    assertThat(counts(buckets(found, "day")))
        .isEqualTo(counted(docs, doc -> List.of((double) startOfDay(doc.time))));
    assertThat(counts(buckets(found, "six")))
        .isEqualTo(
            counted(docs, doc -> List.of((double) (doc.time - doc.time % (6 * 3_600_000L)))));
    assertThat(buckets(found, "r").stream().map(bucket -> number(bucket, "doc_count")).toList())
        .containsExactly(
            (double) docs.stream().filter(doc -> doc.decimal < 30).count(),
            (double) docs.stream().filter(doc -> doc.decimal >= 20 && doc.decimal < 80).count(),
            (double) docs.stream().filter(doc -> doc.decimal >= 80).count());
  }

  private static long startOfDay(long millis) {
    LocalDate day = Instant.ofEpochMilli(millis).atZone(ZONE).toLocalDate();
    return day.atStartOfDay(ZONE).toInstant().toEpochMilli();
  }

  private static void compareFigures(List<SearchedIndex> shards, List<Doc> docs, String query)
      throws IOException {
    Map<?, ?> found =
        aggregate(
            shards,
            query,
            """
            {"stats":{"stats":{"field":"n"}},"min":{"min":{"field":"d"}},
             "count":{"value_count":{"field":"n"}},"different":{"cardinality":{"field":"k"}},
             "without":{"missing":{"field":"k"}},"some":{"filter":{"term":{"k":"k3"}}}}\
            """);
    List<Long> numbers = docs.stream().flatMap(doc -> doc.numbers.stream()).toList();
    assertThat(number(found, "stats", "count")).isEqualTo(numbers.size());
    assertThat(number(found, "count", "value")).isEqualTo(numbers.size());
    if (!numbers.isEmpty()) {
      assertThat(number(found, "stats", "sum"))
          .isEqualTo((double) numbers.stream().mapToLong(Long::longValue).sum());
      assertThat(number(found, "stats", "max"))
          .isEqualTo((double) numbers.stream().mapToLong(Long::longValue).max().orElseThrow());
    }
    if (!docs.isEmpty()) {
      assertThat(number(found, "min", "value"))
          .isEqualTo(docs.stream().mapToDouble(Doc::decimal).min().orElseThrow());
    }
    assertThat(number(found, "different", "value"))
        .isEqualTo((double) docs.stream().flatMap(doc -> doc.keywords.stream()).distinct().count());
    assertThat(number(found, "without", "doc_count"))
        .isEqualTo((double) docs.stream().filter(doc -> doc.keywords.isEmpty()).count());
    assertThat(number(found, "some", "doc_count"))
        .isEqualTo((double) docs.stream().filter(doc -> doc.keywords.contains("k3")).count());
  }

  /** A document counts once for each distinct key. */
  private static List<List<Double>> counted(List<Doc> docs, Function<Doc, List<Double>> keys) {
    Map<Double, Double> counts = new TreeMap<>();
    docs.forEach(
        doc -> new TreeSet<>(keys.apply(doc)).forEach(key -> counts.merge(key, 1.0, Double::sum)));
    return counts.entrySet().stream()
        .map(entry -> List.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static List<List<Double>> counts(List<Map<?, ?>> buckets) {
    return buckets.stream()
        .map(bucket -> List.of(number(bucket, "key"), number(bucket, "doc_count")))
        .toList();
  }

  private static Map<?, ?> aggregate(List<SearchedIndex> shards, String query, String aggregations)
      throws IOException {
    String body = "{\"size\":0,\"query\":" + query + ",\"aggs\":" + aggregations + "}";
    SearchRequest request = SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
    AggregationReducer reducer = new AggregationReducer(request.aggregations().tree());
    for (SearchedIndex shard : shards) {
      byte[] answer = shard.search(body).toBytes();
      reducer.add(ShardSearchResult.fromBytes(answer).aggregations());
    }
    Results results = reducer.finish(10_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.mapper().writer().createGenerator(out)) {
      new ResultWriter(false, false).write(results == null ? Results.NONE : results, json);
    }
    return Json.read(out.toByteArray(), Map.class);
  }

  private static List<Map<?, ?>> buckets(Map<?, ?> of, String name) {
    List<Map<?, ?>> buckets = new ArrayList<>();
    ((List<?>) ((Map<?, ?>) of.get(name)).get("buckets"))
        .forEach(bucket -> buckets.add((Map<?, ?>) bucket));
    return buckets;
  }

  private static double number(Map<?, ?> of, String... path) {
    Object at = of;
    for (String name : path) {
      at = ((Map<?, ?>) at).get(name);
    }
    return ((Number) at).doubleValue();
  }
}
