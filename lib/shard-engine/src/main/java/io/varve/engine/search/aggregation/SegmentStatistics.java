package io.varve.engine.search.aggregation;

import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.jspecify.annotations.Nullable;

/**
 * Provides segment statistics, which make visiting documents unnecessary if all of them match and
 * none is deleted.
 */
final class SegmentStatistics {

  private SegmentStatistics() {}

  /** The points of a numeric field, or null if documents must be visited. */
  static @Nullable PointValues points(FieldValues values, LeafReaderContext leaf, LeafMatch match)
      throws IOException {
    LeafField field = values.field();
    PointValues points =
        match instanceof LeafMatch.All
                && field != null
                && field.indexed()
                && values.missing() == null
                && !leaf.reader().hasDeletions()
            ? leaf.reader().getPointValues(field.path())
            : null;
    return points != null && PointCounter.isPlain(values, points) ? points : null;
  }
}
