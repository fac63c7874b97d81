package io.varve.engine.search.aggregation;

import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.result.CompositeSources;
import io.varve.search.aggregation.rounding.AutoLevels;
import io.varve.search.aggregation.sketch.DistinctSketch;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.jspecify.annotations.Nullable;

/** Makes the aggregators of a tree, new ones for each slice of a shard. */
final class AggregatorFactory {

  private final AggregationContext context;
  private final FieldResolver resolver;

  AggregatorFactory(AggregationContext context) {
    this.context = context;
    this.resolver = new FieldResolver(context.mapping(), context.nowMillis());
  }

  Children children(AggregationTree tree) throws IOException {
    return children(tree, null);
  }

  /**
   * @param scope the nested object that documents are at this place, or null for whole documents
   */
  private Children children(AggregationTree tree, @Nullable String scope) throws IOException {
    List<Aggregator> made = new ArrayList<>(tree.collected().size());
    for (AggregationNode node : tree.collected()) {
      made.add(make(node, scope));
    }
    return new Children(made);
  }

  private Aggregator make(AggregationNode node, @Nullable String scope) throws IOException {
    return switch (node.aggregation()) {
      case MetricAggregation metric -> metric(metric);
      case BucketAggregation.Nested nested -> nested(nested.path(), node, scope);
      case BucketAggregation.ReverseNested reverse -> reverseNested(reverse.path(), node, scope);
      case BucketAggregation bucket -> bucket(bucket, node, scope);
      default ->
          throw new IllegalStateException(node.aggregation().type() + " looks at no documents");
    };
  }

  private Aggregator metric(MetricAggregation metric) {
    MemoryAccount memory = context.memory();
    return switch (metric) {
      case MetricAggregation.Simple simple -> simple(simple);
      case MetricAggregation.ExtendedStats stats ->
          new NumbersAggregator(
              numbers(stats.source(), metric.type()),
              new NumbersAggregator.Wanted(true, true, true),
              memory);
      case MetricAggregation.Cardinality cardinality -> {
        Integer threshold = cardinality.precisionThreshold();
        yield new DistinctAggregator(
            resolver.resolve(cardinality.source(), metric.type(), FieldResolver.ALL, Kind.BYTES),
            threshold == null ? DistinctSketch.DEFAULT_THRESHOLD : threshold,
            memory);
      }
      case MetricAggregation.Percentiles percentiles ->
          new DigestAggregator(
              numbers(percentiles.source(), metric.type()), percentiles.digest(), memory);
      case MetricAggregation.PercentileRanks ranks ->
          new DigestAggregator(numbers(ranks.source(), metric.type()), ranks.digest(), memory);
      case MetricAggregation.MedianAbsoluteDeviation deviation ->
          new DigestAggregator(
              numbers(deviation.source(), metric.type()),
              new MetricAggregation.Digest.TDigest(deviation.compression()),
              memory);
      case MetricAggregation.WeightedAvg average ->
          new WeightedAggregator(
              numbers(average.value(), metric.type()),
              numbers(average.weight(), metric.type()),
              memory);
      case MetricAggregation.GeoBounds bounds ->
          new PlacesAggregator(points(bounds.source(), metric.type()), memory);
      case MetricAggregation.GeoCentroid centroid ->
          new PlacesAggregator(points(centroid.source(), metric.type()), memory);
      case MetricAggregation.TopHits hits ->
          throw FieldResolver.illegal("[top_hits] is not supported");
    };
  }

  private Aggregator simple(MetricAggregation.Simple simple) {
    NumbersAggregator.Wanted wanted =
        switch (simple.figure()) {
          case AVG, SUM -> new NumbersAggregator.Wanted(true, false, false);
          case MIN, MAX -> new NumbersAggregator.Wanted(false, true, false);
          case STATS -> new NumbersAggregator.Wanted(true, true, false);
          case VALUE_COUNT -> null;
        };
    return wanted == null
        ? new CountAggregator(
            resolver.resolve(simple.source(), simple.type(), FieldResolver.ALL, Kind.BYTES),
            context.memory())
        : new NumbersAggregator(numbers(simple.source(), simple.type()), wanted, context.memory());
  }

  private FieldValues numbers(FieldSource source, String type) {
    return resolver.resolve(source, type, FieldResolver.NUMBERS, Kind.DOUBLE_BITS);
  }

  private FieldValues points(FieldSource source, String type) {
    return resolver.resolve(source, type, EnumSet.of(Kind.POINT), Kind.POINT);
  }

  private Aggregator nested(String path, AggregationNode node, @Nullable String scope)
      throws IOException {
    Children children = children(node.children(), path);
    return context.mapping().nested().containsKey(path)
        ? new NestedAggregator(path, scope, children, context)
        : new SingleAggregator(leaf -> doc -> false, children, context);
  }

  private Aggregator reverseNested(
      @Nullable String path, AggregationNode node, @Nullable String scope) throws IOException {
    if (scope == null) {
      throw FieldResolver.illegal(
          "Reverse nested aggregation ["
              + node.name()
              + "] can only be used inside a [nested]"
              + " aggregation");
    }
    if (path != null && !context.mapping().nested().containsKey(path)) {
      throw FieldResolver.illegal("[reverse_nested] nested path [" + path + "] is not nested");
    }
    return new ReverseNestedAggregator(path, children(node.children(), path), context);
  }

  private Aggregator bucket(BucketAggregation bucket, AggregationNode node, @Nullable String scope)
      throws IOException {
    Children children = children(node.children(), scope);
    return switch (bucket) {
      case BucketAggregation.Terms terms -> terms(terms, node, children);
      case BucketAggregation.Histogram histogram ->
          new HistogramAggregator(
              numbers(histogram.source(), "histogram"), histogram, children, context);
      case BucketAggregation.DateHistogram histogram -> dates(histogram, children);
      case BucketAggregation.Range range -> {
        FieldValues values = numbers(range.source(), "range");
        yield new RangeAggregator(
            values::numbers,
            new RangeEnds(resolver, context.nowMillis()).numbers(values, range.spans()),
            values.format(),
            children,
            context);
      }
      case BucketAggregation.DateRange range -> {
        FieldValues values = resolver.dates(range.source(), "date_range");
        yield new RangeAggregator(
            values::numbers,
            new RangeEnds(resolver, context.nowMillis()).numbers(values, range.spans()),
            values.format(),
            children,
            context);
      }
      case BucketAggregation.IpRange range -> {
        FieldValues values = resolver.addresses(range.source());
        yield new RangeAggregator(
            new AddressRanges(values),
            new RangeEnds(resolver, context.nowMillis()).addresses(range.spans()),
            values.format(),
            children,
            context);
      }
      case BucketAggregation.GeoDistance range -> {
        FieldValues values = points(range.source(), "geo_distance");
        yield new RangeAggregator(
            new Distances(values, range.origin(), range.metersPerUnit(), range.plane())::of,
            new RangeEnds(resolver, context.nowMillis()).plain(range.spans()),
            values.format(),
            children,
            context);
      }
      case BucketAggregation.AutoDateHistogram histogram ->
          new AutoDateAggregator(
              resolver.dates(histogram.source(), "auto_date_histogram"),
              new AutoLevels(
                  histogram.buckets(),
                  histogram.minimumInterval(),
                  histogram.source().zone() == null ? ZoneOffset.UTC : histogram.source().zone()),
              children,
              context);
      case BucketAggregation.MultiTerms terms ->
          new MultiTermsAggregator(
              terms.sources().stream()
                  .map(source ->
                      resolver.resolve(source, "multi_terms", FieldResolver.TERMS, Kind.BYTES))
                  .toList(),
              new TermsShape(terms.order(), terms.thresholds(), node.children()),
              children,
              context);
      case BucketAggregation.Filter filter -> {
        FilterMatcher matcher =
            new FilterMatcher(context.searcher(), context.queries().apply(filter.filter()));
        yield new SingleAggregator(leaf -> matcher.leaf(leaf)::matches, children, context);
      }
      case BucketAggregation.Filters filters -> {
        yield new FiltersAggregator(
            matchers(filters.filters()), filters.other() != null, children, context);
      }
      case BucketAggregation.Missing missing -> {
        FieldValues values =
            resolver.resolve(missing.source(), "missing", FieldResolver.ALL, Kind.BYTES);
        yield new SingleAggregator(leaf -> without(values, leaf), children, context);
      }
      case BucketAggregation.Global global -> {
        FilterMatcher all = new FilterMatcher(context.searcher(), MatchAllDocsQuery.INSTANCE);
        yield new SingleAggregator(leaf -> all.leaf(leaf)::matches, children, context);
      }
      case BucketAggregation.AdjacencyMatrix matrix ->
          new AdjacencyAggregator(matrix, matchers(matrix.filters()), children, context);
      case BucketAggregation.GeoGrid grid ->
          new GridAggregator(
              points(grid.source(), grid.type()),
              grid,
              new TermsShape(
                  BucketOrder.COUNT_DESCENDING,
                  new BucketAggregation.Thresholds(grid.size(), grid.shardSize(), 1, 1),
                  node.children()),
              children,
              context);
      case BucketAggregation.Composite composite -> {
        List<CompositePart> parts = new ArrayList<>();
        for (BucketAggregation.CompositeSource source : composite.sources()) {
          parts.add(part(source));
        }
        yield new CompositeAggregator(composite, parts, children, context);
      }
      default -> throw FieldResolver.illegal("[" + bucket.type() + "] is not supported");
    };
  }

  private List<FilterMatcher> matchers(List<BucketAggregation.NamedFilter> filters)
      throws IOException {
    List<FilterMatcher> matchers = new ArrayList<>();
    for (BucketAggregation.NamedFilter filter : filters) {
      matchers.add(new FilterMatcher(context.searcher(), context.queries().apply(filter.filter())));
    }
    return matchers;
  }

  private CompositePart part(BucketAggregation.CompositeSource source) {
    FieldSource field = CompositeSources.source(source);
    FieldValues values =
        switch (source) {
          case BucketAggregation.CompositeSource.OfTerms terms ->
              resolver.resolve(field, "composite", FieldResolver.TERMS, Kind.BYTES);
          case BucketAggregation.CompositeSource.OfHistogram histogram ->
              numbers(field, "composite");
          case BucketAggregation.CompositeSource.OfDates dates ->
              resolver.dates(field, "composite");
          case BucketAggregation.CompositeSource.OfGeotile tiles -> points(field, "composite");
        };
    return new CompositePart(source, values, resolver);
  }

  private Aggregator terms(BucketAggregation.Terms terms, AggregationNode node, Children children) {
    FieldValues values = resolver.resolve(terms.source(), "terms", FieldResolver.TERMS, Kind.BYTES);
    TermFilter filter = TermFilter.of(terms.includeExclude(), values, resolver, node.name());
    TermsShape shape = new TermsShape(terms.order(), terms.thresholds(), node.children());
    return values.kind() == Kind.BYTES
        ? new TermsAggregator(values, filter, shape, children, context)
        : new NumberTermsAggregator(values, filter, shape, children, context);
  }

  private Aggregator dates(BucketAggregation.DateHistogram histogram, Children children) {
    FieldValues values = resolver.dates(histogram.source(), "date_histogram");
    return new DateHistogramAggregator(
        values,
        histogram,
        new RangeEnds(resolver, context.nowMillis()).dates(values, histogram),
        children,
        context);
  }

  private static SingleAggregator.Test without(FieldValues values, LeafReaderContext leaf)
      throws IOException {
    if (values.missing() != null) {
      return doc -> false;
    }
    if (values.field() == null) {
      return doc -> true;
    }
    if (values.kind() == Kind.BYTES) {
      SortedSetDocValues ordinals = values.ordinals(leaf);
      return doc -> !ordinals.advanceExact(doc);
    }
    SortedNumericDocValues numbers =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return doc -> !numbers.advanceExact(doc);
  }
}
