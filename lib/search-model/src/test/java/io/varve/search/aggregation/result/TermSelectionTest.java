package io.varve.search.aggregation.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermSelectionTest {

  @Test
  void aShardReturnsItsFirstTermsAndCountsTheOthers() {
    TermsPartial cut = cut(Map.of("a", 9L, "b", 7L, "c", 5L, "d", 3L), 2);
    assertThat(cut.buckets().keySet()).containsExactlyInAnyOrder(key("a"), key("b"));
    assertThat(cut.others()).isEqualTo(8);
    assertThat(cut.error()).isEqualTo(7);
  }

  @Test
  void errorsOfShardsThatDidNotReturnATermAreAdded() {
    TermsPartial first = cut(Map.of("a", 9L, "b", 7L, "c", 5L), 2);
    TermsPartial second = cut(Map.of("c", 8L, "a", 4L, "b", 1L), 2);
    TermsPartial both = first.merge(second);
    assertThat(both.error()).isEqualTo(7 + 4);
    assertThat(both.buckets().get(key("a")).docCount()).isEqualTo(13);
    // Both parts returned it: its count is exact.
    assertThat(both.error() - both.buckets().get(key("a")).errorSeen()).isZero();
    // The second part did not return it: there it may have as many documents as the last term
    // returned.
    assertThat(both.error() - both.buckets().get(key("b")).errorSeen()).isEqualTo(4);
    assertThat(both.others()).isEqualTo(5 + 1);
  }

  @Test
  void aShardThatReturnsAllTermsHasNoError() {
    assertThat(cut(Map.of("a", 1L, "b", 2L), 10).error()).isZero();
  }

  @Test
  void integerKeysBecomeDoublesWhenMergedWithDoubles() {
    TermsPartial whole = partial(Kind.LONG, Map.of(3L, 2L));
    TermsPartial decimal = partial(Kind.DOUBLE, Map.of(3.0, 1L, 3.5, 1L));
    TermsPartial merged = whole.merge(decimal);
    assertThat(merged.kind()).isEqualTo(Kind.DOUBLE);
    assertThat(merged.buckets().get(3.0).docCount()).isEqualTo(3);
  }

  private static TermsPartial cut(Map<String, Long> counts, int shardSize) {
    Map<Object, Long> keys = new HashMap<>();
    counts.forEach((name, count) -> keys.put(key(name), count));
    return TermSelection.cut(
        partial(Kind.BYTES, keys),
        AggregationTree.EMPTY,
        BucketOrder.COUNT_DESCENDING,
        shardSize,
        0);
  }

  private static TermsPartial partial(Kind kind, Map<?, Long> counts) {
    Map<Object, TermsPartial.Bucket> buckets = new HashMap<>();
    counts.forEach(
        (key, count) -> buckets.put(key, new TermsPartial.Bucket(count, 0, Partials.NONE)));
    return new TermsPartial(kind, List.of(Formats.RAW), buckets, 0, 0, 1);
  }

  private static BytesKey key(String name) {
    return BytesKey.of(name);
  }
}
