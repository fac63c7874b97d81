package io.varve.engine.search.aggregation;

import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.OrdinalMap;
import org.jspecify.annotations.Nullable;

/** Creates the aggregators of terms, rare terms and significant terms. */
final class TermsFactory {

  private final AggregationContext context;
  private final FieldResolver resolver;

  TermsFactory(AggregationContext context, FieldResolver resolver) {
    this.context = context;
    this.resolver = resolver;
  }

  Aggregator of(BucketAggregation.Terms terms, AggregationNode node, Children children)
      throws IOException {
    FieldValues values = resolver.resolve(terms.source(), "terms", FieldResolver.TERMS, Kind.BYTES);
    TermsShape shape =
        new TermsShape(
            terms.order(), terms.thresholds(), node.children(), context.traversal().sliced());
    LeafField field = values.field();
    OrdinalMap global =
        terms.globalOrdinals() && field != null && values.own() == null && isBytes(values)
            ? context.tools().ordinals(field.path())
            : null;
    return made(values, terms.includeExclude(), node, shape, children, global);
  }

  private static boolean isBytes(FieldValues values) {
    return values.kind() == Kind.BYTES;
  }

  private Aggregator made(
      FieldValues values,
      @Nullable IncludeExclude included,
      AggregationNode node,
      TermsOutput output,
      Children children,
      @Nullable OrdinalMap global) {
    TermFilter filter =
        TermFilter.of(included, values, resolver, node.name(), context.tools()::terms);
    return isBytes(values)
        ? new TermsAggregator(values, filter, output, children, context, global)
        : new NumberTermsAggregator(values, filter, output, children, context);
  }

  Aggregator rare(BucketAggregation.RareTerms rare, AggregationNode node, Children children) {
    FieldValues values =
        resolver.resolve(rare.source(), "rare_terms", FieldResolver.TERMS, Kind.BYTES);
    if (values.kind().isNumber() && !values.kind().isWhole()) {
      throw FieldResolver.illegal("RareTerms aggregation does not support floating point fields.");
    }
    RareTerms output = new RareTerms(rare.maxDocCount(), context.memory());
    return made(values, rare.includeExclude(), node, output, children, null);
  }

  Aggregator significant(
      BucketAggregation.SignificantTerms request, AggregationNode node, Children children)
      throws IOException {
    FieldValues values =
        resolver.resolve(request.source(), "significant_terms", FieldResolver.TERMS, Kind.BYTES);
    if (values.kind().isNumber() && !values.kind().isWhole()) {
      throw FieldResolver.illegal("No support for examining floating point numerics");
    }
    BackgroundCounts background = BackgroundCounts.of(request.background(), values, context);
    SignificantTerms output =
        new SignificantTerms(
            request.heuristic(), request.thresholds(), background, context.memory());
    return new SubsetAggregator(
        made(values, request.includeExclude(), node, output, children, null), output);
  }

  Aggregator significant(
      BucketAggregation.SignificantText request, AggregationNode node, Children children)
      throws IOException {
    FieldValues values = resolver.words(request.texts().field());
    BackgroundCounts background = BackgroundCounts.of(request.background(), values, context);
    SignificantTerms output =
        new SignificantTerms(
            request.heuristic(), request.thresholds(), background, context.memory());
    TermFilter filter =
        TermFilter.of(
            request.includeExclude(), values, resolver, node.name(), context.tools()::terms);
    return new SubsetAggregator(
        new SignificantTextAggregator(values, request.texts(), filter, output, children, context),
        output);
  }
}
