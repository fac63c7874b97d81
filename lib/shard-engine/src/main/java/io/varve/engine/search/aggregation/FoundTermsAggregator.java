package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/** Counts the terms of a field from any source; its output determines what is returned. */
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

  /** Adds the terms that only other documents have, with count 0. */
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
