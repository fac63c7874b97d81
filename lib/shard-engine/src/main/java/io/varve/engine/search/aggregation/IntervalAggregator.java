package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Counts documents by interval; keys ascend with the intervals. */
abstract class IntervalAggregator extends KeyedAggregator {

  private static final Comparator<HistogramPartial.Bucket> ASCENDING =
      Comparator.comparing(HistogramPartial.Bucket::key, KeyOrder.of(Formats.RAW));

  final FieldValues values;

  IntervalAggregator(FieldValues values, Children children, AggregationContext context) {
    super(children, context);
    this.values = values;
  }

  /**
   * Counts ranges, each in every interval that it intersects; null if values are not ranges.
   *
   * @param key of a step, as it is counted
   */
  final @Nullable LeafBuckets ranges(
      LeafReaderContext leaf, RangeSteps.Steps steps, LongUnaryOperator key) throws IOException {
    LeafField field = values.field();
    if (field == null || values.kind() != FieldValues.Kind.RANGE) {
      return null;
    }
    RangeSteps ranges = new RangeSteps(values.ordinals(leaf), field, steps);
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        ranges.forEach(doc, step -> inner.collect(doc, count(owner, key.applyAsLong(step))));
      }
    };
  }

  /** Null if documents must be visited. */
  final @Nullable PointCounter counter(LeafReaderContext leaf, LeafMatch match) throws IOException {
    return children.isEmpty() ? PointCounter.of(values, leaf, match) : null;
  }

  /**
   * The buckets within a bucket of the parent, in order.
   *
   * @param start the start of the interval of a key
   */
  final List<HistogramPartial.Bucket> intervals(int owner, LongFunction<Object> start)
      throws IOException {
    List<HistogramPartial.Bucket> built = new ArrayList<>();
    for (int bucket : keys.of(owner)) {
      built.add(
          new HistogramPartial.Bucket(
              start.apply(keys.key(bucket)), counts.get(bucket), children.build(bucket)));
    }
    built.sort(ASCENDING);
    return built;
  }
}
