package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Sum;
import io.varve.search.aggregation.partial.WeightedPartial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/**
 * Computes {@code weighted_avg}. A document has one weight, which applies to each of its values.
 */
final class WeightedAggregator implements Aggregator {

  private final FieldValues values;
  private final FieldValues weights;
  private final DoubleCells products;
  private final DoubleCells sums;

  WeightedAggregator(FieldValues values, FieldValues weights, MemoryAccount memory) {
    this.values = values;
    this.weights = weights;
    this.products = new DoubleCells(memory, 0);
    this.sums = new DoubleCells(memory, 0);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers ofValues = values.numbers(leaf);
    Numbers ofWeights = weights.numbers(leaf);
    return (doc, bucket) -> {
      if (!ofValues.advance(doc) || !ofWeights.advance(doc)) {
        return;
      }
      if (ofWeights.count() > 1) {
        throw FieldResolver.illegal(
            "Encountered more than one weight for a single document. Use a script to combine"
                + " multiple weights-per-doc into a single value.");
      }
      double weight = ofWeights.decimal();
      for (int left = ofValues.count(); left > 0; left--) {
        products.set(bucket, products.get(bucket) + ofValues.decimal() * weight);
        sums.set(bucket, sums.get(bucket) + weight);
      }
    };
  }

  @Override
  public WeightedPartial build(int bucket) {
    return new WeightedPartial(
        values.format(), new Sum(products.get(bucket), 0), new Sum(sums.get(bucket), 0));
  }

  @Override
  public WeightedPartial empty() {
    return new WeightedPartial(values.format(), Sum.ZERO, Sum.ZERO);
  }
}
