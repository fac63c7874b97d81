package io.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.CanMatch.Bounds;
import io.varve.search.hits.ShardHit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PageFloorTest {

  private static SearchRequest request(String body) {
    return SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private static PageFloor floor(String body) {
    return Objects.requireNonNull(PageFloor.of(request(body)));
  }

  private static ShardSearchResult answer(long total, long... values) {
    List<ShardHit> hits = new ArrayList<>();
    for (long value : values) {
      hits.add(
          new ShardHit(
              "id",
              null,
              Float.NaN,
              List.of(value),
              new ShardHit.Stamp(1, 1, 1),
              null,
              new ShardHit.Extras(List.of(), null, null)));
    }
    return new ShardSearchResult(
        total, true, Float.NaN, hits, ShardSearchResult.Cut.NOTHING, -1, 0);
  }

  @Test
  void aShardWhoseValuesSortAfterAFullPageCanBeSkipped() {
    PageFloor floor = floor("{\"size\":2,\"track_total_hits\":false,\"sort\":[\"n\"]}");
    floor.add(answer(0, 1, 5));
    assertThat(floor.isBehind(new Bounds(6L, 9L))).isTrue();
    assertThat(floor.isBehind(new Bounds(5L, 9L)))
        .as("an equal one may win by the next key")
        .isFalse();
    assertThat(floor.isBehind(new Bounds(0L, 9L))).isFalse();
  }

  @Test
  void descendingTheGreatestValueCounts() {
    PageFloor floor = floor("{\"size\":1,\"track_total_hits\":false,\"sort\":[{\"n\":\"desc\"}]}");
    floor.add(answer(0, 10));
    assertThat(floor.isBehind(new Bounds(0L, 9L))).isTrue();
    assertThat(floor.isBehind(new Bounds(0L, 11L))).isFalse();
  }

  @Test
  void noShardIsSkippedBeforeThePageIsFull() {
    PageFloor floor = floor("{\"size\":2,\"from\":1,\"track_total_hits\":false,\"sort\":[\"n\"]}");
    floor.add(answer(0, 1, 2));
    assertThat(floor.isBehind(new Bounds(3L, 9L))).isFalse();
    floor.add(answer(0, 0));
    assertThat(floor.isBehind(new Bounds(3L, 9L))).isTrue();
  }

  @Test
  void hitsAreCountedUpToTheRequestedNumber() {
    PageFloor floor = floor("{\"size\":1,\"track_total_hits\":10,\"sort\":[\"n\"]}");
    floor.add(answer(10, 1));
    assertThat(floor.isBehind(new Bounds(3L, 9L))).isFalse();
    floor.add(answer(1, 1));
    assertThat(floor.isBehind(new Bounds(3L, 9L))).isTrue();
  }

  @Test
  void noShardIsSkippedWhenAllMayContribute() {
    assertThat(PageFloor.of(request("{\"sort\":[\"n\"],\"track_total_hits\":true}"))).isNull();
    assertThat(PageFloor.of(request("{\"sort\":[\"_score\"]}"))).isNull();
    assertThat(PageFloor.of(request("{\"sort\":[{\"n\":{\"missing\":\"_first\"}}]}"))).isNull();
    assertThat(PageFloor.of(request("{\"sort\":[{\"n\":{\"mode\":\"sum\"}}]}"))).isNull();
    assertThat(
            PageFloor.of(
                request("{\"sort\":[\"n\"],\"aggs\":{\"a\":{\"max\":{\"field\":\"n\"}}}}")))
        .isNull();
  }

  @Test
  void shardResultsAreUnchangedBySerialization() {
    for (CanMatch said :
        List.of(
            new CanMatch(true, null),
            new CanMatch(false, new Bounds(-1L, Long.MAX_VALUE)),
            new CanMatch(true, new Bounds(-1.5, 2.5)))) {
      assertThat(CanMatch.fromBytes(said.toBytes())).isEqualTo(said);
    }
  }
}
