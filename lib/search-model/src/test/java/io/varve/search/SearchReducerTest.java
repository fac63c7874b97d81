package io.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.hits.ShardHit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchReducerTest {

  private static ShardHit hit(String id, float score, @Nullable Object... sortValues) {
    return new ShardHit(
        id,
        null,
        score,
        Arrays.asList(sortValues),
        new ShardHit.Stamp(2, 7, 1),
        ("{\"id\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8));
  }

  private static ShardAnswer answer(int shard, long total, boolean exact, ShardHit... hits) {
    float maxScore = hits.length == 0 ? Float.NaN : hits[0].score();
    return new ShardAnswer(
        "i",
        shard,
        new ShardSearchResult(total, exact, maxScore, List.of(hits), Cut.NOTHING, 5, 1000));
  }

  private static Stream<String> ids(Reduced reduced) {
    return reduced.hits().stream().map(hit -> hit.hit().id());
  }

  @Test
  void mergesByScoreAndThenByShard() {
    Reduced reduced =
        SearchReducer.reduce(
            SearchRequestTest.parse("{\"from\":1,\"size\":3}"),
            List.of(
                answer(0, 2, true, hit("a", 3), hit("b", 1)),
                answer(1, 3, true, hit("c", 3), hit("d", 2), hit("e", 1))));
    assertThat(ids(reduced)).containsExactly("c", "d", "b");
    assertThat(reduced.maxScore()).isEqualTo(3);
    assertThat(reduced.total()).isEqualTo(5);
    assertThat(reduced.exact()).isTrue();
  }

  @Test
  void mergesBySortValues() throws Exception {
    SearchRequest request = SearchRequestTest.parse("{\"sort\":[{\"n\":\"desc\"},\"k\"]}");
    Reduced reduced =
        SearchReducer.reduce(
            request,
            List.of(
                answer(0, 2, true, hit("a", Float.NaN, 5L, "b"), hit("b", Float.NaN, 4.5, null)),
                answer(
                    1,
                    2,
                    true,
                    hit("c", Float.NaN, 5L, "a"),
                    hit("d", Float.NaN, 4.5, "\uD83D\uDE00")),
                answer(2, 1, true, hit("e", Float.NaN, 4.5, "\uFFFD"))));
    assertThat(ids(reduced)).containsExactly("c", "a", "e", "d", "b");
    assertThat(reduced.maxScore()).isNaN();

    Reduced addresses =
        SearchReducer.reduce(
            SearchRequestTest.parse("{\"sort\":[\"ip\"]}"),
            List.of(
                answer(0, 1, true, hit("a", Float.NaN, InetAddress.ofLiteral("10.0.0.2"))),
                answer(1, 1, true, hit("b", Float.NaN, InetAddress.ofLiteral("9.0.0.1")))));
    assertThat(ids(addresses)).containsExactly("b", "a");
  }

  @ParameterizedTest
  @CsvSource({
    "true,  6000, true,  6000, true,  12000, true",
    "10000, 6000, true,  6000, true,  10000, false",
    "10000, 3000, true,  2000, true,  5000,  true",
    "10000, 3000, false, 2000, true,  5000,  false",
    "false, -1,   false, -1,   false, -1,    false"
  })
  void addsUpTotals(
      String track,
      long first,
      boolean firstExact,
      long second,
      boolean secondExact,
      long total,
      boolean exact) {
    Reduced reduced =
        SearchReducer.reduce(
            SearchRequestTest.parse("{\"track_total_hits\":" + track + "}"),
            List.of(answer(0, first, firstExact), answer(1, second, secondExact)));
    assertThat(reduced.total()).isEqualTo(total);
    assertThat(reduced.exact()).isEqualTo(exact);
  }

  @Test
  void resultsAreUnchangedBySerialization() {
    ShardSearchResult result =
        new ShardSearchResult(
            Long.MAX_VALUE,
            false,
            1.5f,
            List.of(
                new ShardHit(
                    "é",
                    "r",
                    -0.5f,
                    Arrays.asList(
                        null, Long.MIN_VALUE, -1.25, 2.5f, true, "x", InetAddress.ofLiteral("::1")),
                    new ShardHit.Stamp(1, -2, 0),
                    null),
                hit("b", 1)),
            Cut.TIME,
            -1,
            123);
    assertThat(ShardSearchResult.fromBytes(result.toBytes()))
        .usingRecursiveComparison()
        .isEqualTo(result);
  }

  @Test
  void writesTheAnswer() throws IOException {
    SearchRequest request =
        SearchRequestTest.parse(
            "{\"sort\":[\"n\"],\"version\":true,\"seq_no_primary_term\":true,\"size\":2}");
    Reduced reduced =
        SearchReducer.reduce(
            request,
            List.of(
                answer(0, 1, true, hit("a", Float.NaN, Long.MAX_VALUE)),
                answer(1, 1, true, hit("b", Float.NaN, 1L))));
    assertThat(written(request, reduced, false))
        .isEqualTo(
            """
            {"took":3,"timed_out":false,"_shards":{"total":2,"successful":2,"skipped":0,"failed":0},\
            "hits":{"total":{"value":2,"relation":"eq"},"max_score":null,"hits":[\
            {"_index":"i","_id":"b","_version":2,"_seq_no":7,"_primary_term":1,"_score":null,\
            "_source":{"id":"b"},"sort":[1]},\
            {"_index":"i","_id":"a","_version":2,"_seq_no":7,"_primary_term":1,"_score":null,\
            "_source":{"id":"a"},"sort":[9223372036854775807]}]}}\
            """);
  }

  @Test
  void writesTotalsInTheRequestedForm() throws IOException {
    SearchRequest counting = SearchRequestTest.parse("{\"size\":0}");
    Reduced reduced = SearchReducer.reduce(counting, List.of(answer(0, 10_001, false)));
    assertThat(written(counting, reduced, false))
        .contains(
            "\"total\":{\"value\":10000,\"relation\":\"gte\"},\"max_score\":null,\"hits\":[]");
    assertThat(written(counting, reduced, true)).contains("\"total\":10000,");
    SearchRequest notCounting = SearchRequestTest.parse("{\"track_total_hits\":false}");
    Reduced uncounted =
        SearchReducer.reduce(notCounting, List.of(answer(0, -1, false, hit("a", 1))));
    assertThat(written(notCounting, uncounted, false))
        .contains(
            "\"hits\":{\"max_score\":1.0,\"hits\":[{\"_index\":\"i\",\"_id\":\"a\",\"_score\":1.0,");
  }

  @Test
  void namesTheShardsThatFailed() throws IOException {
    SearchRequest request = SearchRequestTest.parse("{}");
    ShardFailure failure =
        new ShardFailure(
            "i", 1, "n1", ErrorBody.of(503, "no_shard_available_action_exception", "x"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SearchResponseWriter(request, false)
        .write(
            SearchReducer.reduce(request, List.of(answer(0, 0, true))),
            new SearchResponseWriter.Shards(2, 0, List.of(failure)),
            1,
            out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "\"failed\":1,\"failures\":[{\"shard\":1,\"index\":\"i\",\"node\":\"n1\",\"reason\":{\"type\":\"no_shard_available_action_exception\",\"reason\":\"x\"}}]");
    assertThat(ShardFailure.allFailed(List.of(failure)).status()).isEqualTo(503);
  }

  private static String written(SearchRequest request, Reduced reduced, boolean totalAsNumber)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SearchResponseWriter(request, totalAsNumber)
        .write(reduced, new SearchResponseWriter.Shards(2, 0, List.of()), 3, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
