package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.aggregations.Aggregate;
import org.opensearch.client.opensearch._types.aggregations.Aggregation;
import org.opensearch.client.opensearch._types.aggregations.CalendarInterval;
import org.opensearch.client.opensearch._types.aggregations.CompositeAggregationSource;
import org.opensearch.client.opensearch._types.aggregations.StringTermsAggregate;
import org.opensearch.client.opensearch._types.aggregations.StringTermsBucket;
import org.opensearch.client.opensearch._types.query_dsl.Query;

/**
 * The client requests {@code typed_keys} and derives the type of each aggregation from its name.
 */
@Tag("system")
class AggregationCallsTest {

  private static String index = "";

  @BeforeAll
  static void fill() throws IOException {
    index = Library.ofBooks("aggs");
  }

  private static Aggregate one(Aggregation aggregation) throws IOException {
    return CLIENT
        .search(r -> r.index(index).size(0).aggregations("one", aggregation), Void.class)
        .aggregations()
        .get("one");
  }

  @Test
  void termsWithAMetricInEachBucket() throws IOException {
    Aggregation pages = Aggregation.of(a -> a.avg(m -> m.field("pages")));
    StringTermsAggregate terms =
        one(Aggregation.of(a -> a.terms(t -> t.field("genre")).aggregations(Map.of("p", pages))))
            .sterms();

    assertThat(terms.buckets().array())
        .extracting(StringTermsBucket::key)
        .containsExactly("geology", "novel", "cooking");
    assertThat(terms.buckets().array().getFirst().docCount()).isEqualTo(2);
    assertThat(terms.buckets().array().getFirst().aggregations().get("p").avg().value())
        .isEqualTo(180);
  }

  @Test
  void termsOfNumbers() throws IOException {
    assertThat(one(Aggregation.of(a -> a.terms(t -> t.field("pages")))).lterms().buckets().array())
        .hasSize(5);
    assertThat(one(Aggregation.of(a -> a.terms(t -> t.field("price")))).dterms().buckets().array())
        .hasSize(5);
  }

  @Test
  void metrics() throws IOException {
    assertThat(one(Aggregation.of(a -> a.sum(m -> m.field("pages")))).sum().value())
        .isEqualTo(1046);
    assertThat(one(Aggregation.of(a -> a.min(m -> m.field("pages")))).min().value()).isEqualTo(96);
    assertThat(one(Aggregation.of(a -> a.max(m -> m.field("pages")))).max().value()).isEqualTo(310);
    assertThat(one(Aggregation.of(a -> a.valueCount(m -> m.field("pages")))).valueCount().value())
        .isEqualTo(5);
    assertThat(one(Aggregation.of(a -> a.stats(m -> m.field("pages")))).stats().count())
        .isEqualTo(5);
    assertThat(
            one(Aggregation.of(a -> a.extendedStats(m -> m.field("pages"))))
                .extendedStats()
                .variance())
        .isPositive();
    assertThat(one(Aggregation.of(a -> a.cardinality(m -> m.field("genre")))).cardinality().value())
        .isEqualTo(3);
  }

  @Test
  void percentilesAndRanks() throws IOException {
    assertThat(
            one(Aggregation.of(a -> a.percentiles(m -> m.field("pages"))))
                .tdigestPercentiles()
                .values()
                .keyed())
        .containsKeys("50.0", "99.0");
    assertThat(
            one(Aggregation.of(a -> a.percentileRanks(m -> m.field("pages").values(200.0))))
                .tdigestPercentileRanks()
                .values()
                .keyed())
        .containsOnlyKeys("200.0");
  }

  @Test
  void histograms() throws IOException {
    assertThat(
            one(Aggregation.of(a -> a.histogram(h -> h.field("pages").interval(100.0))))
                .histogram()
                .buckets()
                .array())
        .hasSize(4);
    assertThat(
            one(Aggregation.of(a ->
                a.dateHistogram(h -> h.field("published").calendarInterval(CalendarInterval.Year))))
                .dateHistogram()
                .buckets()
                .array())
        .hasSize(3);
    assertThat(
            one(Aggregation.of(a -> a.autoDateHistogram(h -> h.field("published").buckets(3))))
                .autoDateHistogram()
                .buckets()
                .array())
        .hasSizeBetween(1, 3)
        .satisfies(buckets ->
            assertThat(buckets.stream().mapToLong(bucket -> bucket.docCount()).sum()).isEqualTo(5));
  }

  @Test
  void rangesAndFilters() throws IOException {
    assertThat(
            one(Aggregation.of(a ->
                a.range(h ->
                    h.field("pages")
                        .ranges(r -> r.to(JsonData.of(200)))
                        .ranges(r -> r.from(JsonData.of(200))))))
                .range()
                .buckets()
                .array())
        .extracting(bucket -> bucket.docCount())
        .containsExactly(2L, 3L);
    assertThat(
            one(Aggregation.of(a -> a.filter(q -> q.exists(e -> e.field("pages")))))
                .filter()
                .docCount())
        .isEqualTo(5);
    assertThat(
            one(Aggregation.of(a ->
                a.filters(f ->
                    f.filters(b -> b.keyed(Map.of("all", Query.of(q -> q.matchAll(m -> m))))))))
                .filters()
                .buckets()
                .keyed()
                .get("all")
                .docCount())
        .isEqualTo(5);
    assertThat(one(Aggregation.of(a -> a.missing(m -> m.field("nothing")))).missing().docCount())
        .isEqualTo(5);
    assertThat(one(Aggregation.of(a -> a.global(g -> g))).global().docCount()).isGreaterThan(4);
  }

  @Test
  void topHitsAndComposite() throws IOException {
    assertThat(one(Aggregation.of(a -> a.topHits(t -> t.size(1)))).topHits().hits().hits())
        .hasSize(1);
    assertThat(
            one(Aggregation.of(a ->
                a.composite(c ->
                    c.size(2)
                        .sources(
                            List.of(
                                Map.of(
                                    "g",
                                    CompositeAggregationSource.of(
                                        s -> s.terms(t -> t.field("genre")))))))))
                .composite())
        .satisfies(composite -> assertThat(composite.buckets().array()).hasSize(2))
        .satisfies(composite -> assertThat(composite.afterKey()).containsOnlyKeys("g"));
  }

  @Test
  void pipelines() throws IOException {
    Aggregation pages = Aggregation.of(a -> a.sum(m -> m.field("pages")));
    Aggregation terms =
        Aggregation.of(a -> a.terms(t -> t.field("genre")).aggregations(Map.of("p", pages)));
    Aggregation best = Aggregation.of(a -> a.maxBucket(m -> m.bucketsPath(b -> b.single("one>p"))));

    assertThat(
            CLIENT
                .search(
                    r ->
                        r.index(index)
                            .size(0)
                            .aggregations("one", terms)
                            .aggregations("best", best),
                    Void.class)
                .aggregations()
                .get("best")
                .bucketMetricValue()
                .value())
        .isEqualTo(590);
  }
}
