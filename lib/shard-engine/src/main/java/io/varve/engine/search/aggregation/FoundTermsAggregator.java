package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/**
 * Base of aggregators that count terms. A {@link TermsOutput} determines which of them are
 * returned.
 */
abstract class FoundTermsAggregator extends KeyedAggregator implements FoundTerms {

  final FieldValues values;
  final TermFilter filter;
  private final TermsOutput output;

  FoundTermsAggregator(
      FieldValues values,
      TermFilter filter,
      TermsOutput output,
      Children children,
      AggregationContext context) {
    super(children, context);
    this.values = values;
    this.filter = filter;
    this.output = output;
  }

  /** Adds, with count 0, the terms of documents that did not match. */
  abstract void addAll(int owner) throws IOException;

  @Override
  public final Partial build(int owner) throws IOException {
    if (values.isNothing()) {
      return empty();
    }
    if (output.wantsEmpty()) {
      addAll(owner);
    }
    return output.of(this, owner);
  }

  @Override
  public final Partial empty() {
    return output.nothing(values.isNothing() ? Kind.UNMAPPED : kind(), values.format());
  }

  @Override
  public final ValueFormat format() {
    return values.format();
  }

  @Override
  public final int[] of(int owner) {
    return keys.of(owner);
  }

  @Override
  public final LongCells counts() {
    return counts;
  }

  @Override
  public final Partials children(int bucket) throws IOException {
    return children.build(bucket);
  }
}
