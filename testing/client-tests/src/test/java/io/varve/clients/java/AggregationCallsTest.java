package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.FieldValue;
import org.opensearch.client.opensearch._types.aggregations.Aggregate;
import org.opensearch.client.opensearch._types.aggregations.Aggregation;
import org.opensearch.client.opensearch._types.aggregations.CalendarInterval;
import org.opensearch.client.opensearch._types.aggregations.CompositeAggregationSource;
import org.opensearch.client.opensearch._types.aggregations.DateHistogramBucket;
import org.opensearch.client.opensearch._types.aggregations.DoubleTermsBucket;
import org.opensearch.client.opensearch._types.aggregations.HistogramBucket;
import org.opensearch.client.opensearch._types.aggregations.StringTermsAggregate;
import org.opensearch.client.opensearch._types.aggregations.StringTermsBucket;
import org.opensearch.client.opensearch._types.query_dsl.Query;
import org.opensearch.client.opensearch.core.SearchResponse;

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

  private static long millis(String day) {
    return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
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
        .extracting(bucket -> bucket.key().signed())
        .containsExactly(96L, 120L, 240L, 280L, 310L);
    assertThat(one(Aggregation.of(a -> a.terms(t -> t.field("price")))).dterms().buckets().array())
        .extracting(DoubleTermsBucket::key)
        .containsExactly(7.25, 8.0, 9.5, 12.0, 20.0);
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
        .isCloseTo(7378.56, within(1e-6));
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
        .hasEntrySatisfying("50.0", value -> assertThat(value.to(Double.class)).isEqualTo(240))
        .hasEntrySatisfying("99.0", value -> assertThat(value.to(Double.class)).isEqualTo(310));
    assertThat(
            one(Aggregation.of(a -> a.percentileRanks(m -> m.field("pages").values(200.0))))
                .tdigestPercentileRanks()
                .values()
                .keyed())
        .hasSize(1)
        .hasEntrySatisfying("200.0", value -> assertThat(value.to(Double.class)).isEqualTo(40));
  }

  @Test
  void histograms() throws IOException {
    assertThat(
            one(Aggregation.of(a -> a.histogram(h -> h.field("pages").interval(100.0))))
                .histogram()
                .buckets()
                .array())
        .extracting(HistogramBucket::key, HistogramBucket::docCount)
        .containsExactly(tuple(0.0, 1L), tuple(100.0, 1L), tuple(200.0, 2L), tuple(300.0, 1L));
    assertThat(
            one(Aggregation.of(a ->
                a.dateHistogram(h -> h.field("published").calendarInterval(CalendarInterval.Year))))
                .dateHistogram()
                .buckets()
                .array())
        .extracting(DateHistogramBucket::key, DateHistogramBucket::docCount)
        .containsExactly(
            tuple(millis("2021-01-01"), 2L),
            tuple(millis("2022-01-01"), 2L),
            tuple(millis("2023-01-01"), 1L));
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
  }

  @Test
  void aGlobalAggregationIgnoresTheQuery() throws IOException {
    Query cooking = Query.of(q -> q.term(t -> t.field("genre").value(FieldValue.of("cooking"))));
    SearchResponse<Void> found =
        CLIENT.search(
            r ->
                r.index(index)
                    .query(cooking)
                    .aggregations("all", a -> a.global(g -> g))
                    .aggregations("cooking", a -> a.valueCount(m -> m.field("pages"))),
            Void.class);

    assertThat(found.aggregations().get("cooking").valueCount().value()).isEqualTo(1);
    assertThat(found.aggregations().get("all").global().docCount()).isEqualTo(5);
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
        .satisfies(composite ->
            assertThat(composite.buckets().array())
                .extracting(bucket -> bucket.key().get("g").stringValue())
                .containsExactly("cooking", "geology"))
        .satisfies(composite ->
            assertThat(composite.afterKey().get("g").stringValue()).isEqualTo("geology"));
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
