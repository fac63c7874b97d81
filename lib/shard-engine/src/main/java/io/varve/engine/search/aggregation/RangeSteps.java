package io.varve.engine.search.aggregation;

import io.varve.engine.fields.RangeBounds;
import io.varve.engine.fields.RangeFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.SortedSetDocValues;

/**
 * Counts a range in each interval from that of its start to that of its end. The ranges of a
 * document are ordered by start, so a repeated interval can be detected by comparison with the last
 * one.
 */
final class RangeSteps {

  /** Maximum number of intervals per range; more than a response may have buckets. */
  private static final long MOST = 1 << 16;

  /** Iterates over intervals by key. */
  interface Steps {
    long first(Object from);

    long last(Object to);

    long next(long key);
  }

  /** Receives the intervals of a document. */
  interface Use {
    void accept(long key) throws IOException;
  }

  private final SortedSetDocValues ranges;
  private final LeafField field;
  private final Steps steps;

  RangeSteps(SortedSetDocValues ranges, LeafField field, Steps steps) {
    this.ranges = ranges;
    this.field = field;
    this.steps = steps;
  }

  void forEach(int doc, Use use) throws IOException {
    if (!ranges.advanceExact(doc)) {
      return;
    }
    boolean any = false;
    long seen = 0;
    for (int left = ranges.docValueCount(); left > 0; left--) {
      RangeBounds bounds = RangeFields.decode(field, ranges.lookupOrd(ranges.nextOrd()));
      long last = steps.last(bounds.to());
      long count = 0;
      for (long key = steps.first(bounds.from()); key <= last; key = steps.next(key)) {
        if (!any || key > seen) {
          any = true;
          seen = key;
          use.accept(key);
        }
        if (++count > MOST) {
          throw FieldResolver.illegal(
              "A range of the field ["
                  + field.path()
                  + "] is counted in more than ["
                  + MOST
                  + "] buckets: set [hard_bounds] or a longer interval");
        }
      }
    }
  }
}
