package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;

/** The sum of values times weights and the sum of weights. */
public record WeightedPartial(ValueFormat format, Sum products, Sum weights) implements Partial {

  @Override
  public WeightedPartial merge(Partial partial) {
    WeightedPartial other = (WeightedPartial) partial;
    return new WeightedPartial(
        format.isShown() ? format : other.format,
        products.plus(other.products),
        weights.plus(other.weights));
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    products.write(out);
    weights.write(out);
  }

  static WeightedPartial read(PartialReader in) {
    return new WeightedPartial(in.format(), Sum.read(in), Sum.read(in));
  }
}
