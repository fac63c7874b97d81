package io.varve.engine.search.aggregation;

import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.result.CompositeSources;
import io.varve.search.aggregation.rounding.AutoLevels;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.jspecify.annotations.Nullable;

/** Creates the aggregators of a tree, separately for each slice of a shard. */
final class AggregatorFactory {

  private final AggregationContext context;
  private final FieldResolver resolver;
  private final MetricFactory metrics;
  private final TermsFactory terms;

  AggregatorFactory(AggregationContext context) {
    this.context = context;
    this.resolver = new FieldResolver(context.ground());
    this.metrics = new MetricFactory(context, resolver);
    this.terms = new TermsFactory(context, resolver);
  }

  Children children(AggregationTree tree) throws IOException {
    return children(tree, null);
  }

  /**
   * @param scope the path of the nested objects in scope, or null for whole documents
   */
  private Children children(AggregationTree tree, @Nullable String scope) throws IOException {
    List<Aggregator> made = new ArrayList<>(tree.collected().size());
    for (AggregationNode node : tree.collected()) {
      made.add(make(node, scope));
    }
    return new Children(made, context.memory());
  }

  private Aggregator make(AggregationNode node, @Nullable String scope) throws IOException {
    return switch (node.aggregation()) {
      case MetricAggregation metric -> metrics.of(metric, node.name(), scope);
      case BucketAggregation.Nested nested -> nested(nested.path(), node, scope);
      case BucketAggregation.ReverseNested reverse -> reverseNested(reverse.path(), node, scope);
      case BucketAggregation bucket -> bucket(bucket, node, scope);
      default ->
          throw new IllegalStateException(
              node.aggregation().type() + " does not collect documents");
    };
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
      case BucketAggregation.Terms plain -> terms.of(plain, node, children);
      case BucketAggregation.RareTerms rare -> terms.rare(rare, node, children);
      case BucketAggregation.SignificantTerms significant ->
          terms.significant(significant, node, children);
      case BucketAggregation.SignificantText text -> terms.significant(text, node, children);
      case BucketAggregation.Sampler sampler ->
          new SamplerAggregator(new Sample.Best(sampler.shardSize()), null, children, context);
      case BucketAggregation.DiversifiedSampler sampler ->
          new SamplerAggregator(
              new Sample.Diverse(sampler.shardSize(), sampler.perValue()),
              resolver.resolve(
                  sampler.source(), "diversified_sampler", FieldResolver.TERMS, Kind.BYTES),
              children,
              context);
      case BucketAggregation.VariableWidthHistogram histogram ->
          new VariableWidthHistogramAggregator(
              metrics.numbers(histogram.source(), "variable_width_histogram"),
              context.traversal().sliced() ? Integer.MAX_VALUE : histogram.shardSize(),
              children,
              context);
      case BucketAggregation.Histogram histogram ->
          new HistogramAggregator(
              metrics.numbersOrRanges(histogram.source(), "histogram"),
              histogram,
              children,
              context);
      case BucketAggregation.DateHistogram histogram -> dates(histogram, children);
      case BucketAggregation.Range range -> {
        FieldValues values = metrics.numbers(range.source(), "range");
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
        List<RangeAggregator.Ends> ends =
            new RangeEnds(resolver, context.nowMillis()).addresses(range.spans());
        yield new RangeAggregator(
            new AddressRanges(values, ends), ends, values.format(), children, context);
      }
      case BucketAggregation.GeoDistance range -> {
        FieldValues values = metrics.points(range.source(), "geo_distance");
        yield new RangeAggregator(
            new PointDistances(values, range.origin(), range.metersPerUnit(), range.plane())::of,
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
      case BucketAggregation.MultiTerms several ->
          new MultiTermsAggregator(
              several.sources().stream()
                  .map(source ->
                      resolver.resolve(source, "multi_terms", FieldResolver.TERMS, Kind.BYTES))
                  .toList(),
              shape(several.order(), several.thresholds(), node),
              children,
              context);
      case BucketAggregation.Filter filter -> {
        FilterMatcher matcher =
            new FilterMatcher(context.searcher(), context.tools().query(filter.filter()));
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
          new AdjacencyAggregator(matrix, adjacent(matrix.filters()), children, context);
      case BucketAggregation.GeoGrid grid ->
          new GridAggregator(
              metrics.points(grid.source(), grid.type()),
              grid,
              shape(
                  BucketOrder.COUNT_DESCENDING,
                  new BucketAggregation.Thresholds(grid.size(), grid.shardSize(), 1, 1),
                  node),
              children,
              context);
      case BucketAggregation.Composite composite -> {
        List<CompositePart> parts = new ArrayList<>();
        for (CompositeSource source : composite.sources()) {
          parts.add(part(source));
        }
        yield new CompositeAggregator(composite, parts, children, context);
      }
      case BucketAggregation.Nested nested -> throw elsewhere(bucket);
      case BucketAggregation.ReverseNested reverse -> throw elsewhere(bucket);
    };
  }

  private static IllegalStateException elsewhere(BucketAggregation bucket) {
    return new IllegalStateException(bucket.type() + " is created where the scope changes");
  }

  private List<FilterMatcher> matchers(List<BucketAggregation.NamedFilter> filters)
      throws IOException {
    List<FilterMatcher> matchers = new ArrayList<>();
    for (BucketAggregation.NamedFilter filter : filters) {
      matchers.add(new FilterMatcher(context.searcher(), context.tools().query(filter.filter())));
    }
    return matchers;
  }

  private List<FilterMatcher> adjacent(List<BucketAggregation.NamedFilter> filters)
      throws IOException {
    int most = context.tools().maxAdjacencyFilters();
    if (filters.size() > most) {
      throw FieldResolver.illegal(
          "Number of filters is too large, must be less than or equal to: ["
              + most
              + "] but was ["
              + filters.size()
              + "]. This limit can be set by changing the [index.max_adjacency_matrix_filters]"
              + " index level setting.");
    }
    return matchers(filters);
  }

  private CompositePart part(CompositeSource source) {
    FieldSource field = CompositeSources.source(source);
    FieldValues values =
        switch (source) {
          case CompositeSource.OfTerms terms ->
              resolver.resolve(field, "composite", FieldResolver.TERMS, Kind.BYTES);
          case CompositeSource.OfHistogram histogram -> metrics.numbers(field, "composite");
          case CompositeSource.OfDates dates -> resolver.dates(field, "composite");
          case CompositeSource.OfGeotile tiles -> metrics.points(field, "composite");
        };
    return new CompositePart(source, values, resolver);
  }

  private TermsShape shape(
      BucketOrder order, BucketAggregation.Thresholds thresholds, AggregationNode node) {
    return new TermsShape(order, thresholds, node.children(), context.traversal().sliced());
  }

  private Aggregator dates(BucketAggregation.DateHistogram histogram, Children children) {
    FieldValues values = resolver.datesOrRanges(histogram.source(), "date_histogram");
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
    if (values.kind() == Kind.BYTES || values.kind() == Kind.RANGE) {
      SortedSetDocValues ordinals = values.ordinals(leaf);
      return doc -> !ordinals.advanceExact(doc);
    }
    if (values.field() == null) {
      return doc -> true;
    }
    SortedNumericDocValues numbers =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return doc -> !numbers.advanceExact(doc);
  }
}
