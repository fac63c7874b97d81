package io.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.SearchStatistics.FieldCounts;
import io.varve.search.SearchStatistics.TermCounts;
import io.varve.search.SearchStatistics.TermKey;
import io.varve.search.ShardSearchContext.DocumentKey;
import io.varve.search.hits.ShardHit;
import io.varve.search.hits.ShardHit.Extras;
import io.varve.search.hits.ShardHit.Part;
import io.varve.search.hits.SortValueOrder;
import io.varve.search.query.SortKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardSearchContextTest {

  private static SearchStatistics statistics(long documents) {
    return new SearchStatistics(
        Map.of(new TermKey("f", new byte[] {1}), new TermCounts(documents, 2 * documents)),
        Map.of("f", new FieldCounts(10, 9, 100, 80)));
  }

  @Test
  void isSerializedWithTheRequest() {
    ShardSearchContext context =
        new ShardSearchContext(
            Map.of("i", 2.5f),
            Map.of(new DocumentKey("i", "1", null), new byte[] {'{', '}'}),
            statistics(3),
            false,
            77);
    ShardSearchRequest request =
        new ShardSearchRequest(SearchRequest.parse(new byte[0], Map.of()), 5).in(context);
    assertThat(ShardSearchRequest.fromBytes(request.toBytes()).context())
        .usingRecursiveComparison()
        .isEqualTo(context);
  }

  @Test
  void figuresOfShardsAddUp() {
    SearchStatistics sum = statistics(3).plus(statistics(4));
    assertThat(sum.terms().get(new TermKey("f", new byte[] {1}))).isEqualTo(new TermCounts(7, 14));
    assertThat(sum.fields().get("f")).isEqualTo(new FieldCounts(20, 18, 200, 160));
  }

  @Test
  void partsOfHitsAreUnchangedBySerialization() {
    ShardHit hit =
        new ShardHit(
            "1",
            null,
            1,
            List.of(new BigInteger("18446744073709551615")),
            new ShardHit.Stamp(1, 2, 3),
            null,
            new Extras(
                List.of(new Part("fields", "{}".getBytes(StandardCharsets.UTF_8))),
                List.of("2020"),
                7L));
    ShardSearchResult result =
        new ShardSearchResult(1, true, 1, List.of(hit), ShardSearchResult.Cut.NOTHING, 5, 6);
    assertThat(ShardSearchResult.fromBytes(result.toBytes()).hits())
        .usingRecursiveComparison()
        .isEqualTo(List.of(hit));
  }

  @Test
  void numbersOfDifferentTypesCompareByTheirValues() {
    SortValueOrder order = new SortValueOrder(List.of(SortKey.by("f", false)));
    assertThat(order.compare(List.of(9_007_199_254_740_993L), List.of(9_007_199_254_740_992.0)))
        .isPositive();
    assertThat(order.compare(List.of(Long.MAX_VALUE), List.of(Double.POSITIVE_INFINITY)))
        .isNegative();
    assertThat(
            order.compare(List.of(new BigInteger("18446744073709551615")), List.of(Long.MAX_VALUE)))
        .isPositive();
  }
}
