package io.varve.engine.search;

import io.varve.search.CanMatch.Bounds;
import io.varve.search.PageFloor;
import io.varve.search.SearchRequest;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.PointValues;
import org.jspecify.annotations.Nullable;

/** The minimum and maximum sort value of a shard's documents, from the field's points. */
final class SortBounds {

  private SortBounds() {}

  /** Null if they can't be determined without visiting documents. */
  static @Nullable Bounds of(QueryContext context, SearchRequest search) throws IOException {
    if (!PageFloor.sortsPlainly(search)) {
      return null;
    }
    LeafField field = context.leaf(search.sort().getFirst().field());
    if (field == null || !field.indexed() || !field.docValues()) {
      return null;
    }
    IndexReader reader = context.searcher().getIndexReader();
    return switch (field.type()) {
      case LONG, DATE, DATE_NANOS, INTEGER, SHORT, BYTE, DOUBLE, FLOAT, HALF_FLOAT -> {
        byte[] least = PointValues.getMinPackedValue(reader, field.path());
        byte[] greatest = PointValues.getMaxPackedValue(reader, field.path());
        yield least == null || greatest == null
            ? null
            : new Bounds(value(field, least), value(field, greatest));
      }
      default -> null;
    };
  }

  private static Number value(LeafField field, byte[] packed) {
    return switch (field.type()) {
      case INTEGER, SHORT, BYTE -> (Long) (long) IntPoint.decodeDimension(packed, 0);
      case DOUBLE -> (Double) DoublePoint.decodeDimension(packed, 0);
      case FLOAT, HALF_FLOAT -> (Double) (double) FloatPoint.decodeDimension(packed, 0);
      default -> (Long) LongPoint.decodeDimension(packed, 0);
    };
  }
}
