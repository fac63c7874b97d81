package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.DateHistogram;
import io.varve.search.aggregation.Interval;
import io.varve.search.aggregation.rounding.Rounding;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.jspecify.annotations.Nullable;

/** Creates roundings, prepared for the value range of a segment. */
final class DateRounding {

  private DateRounding() {}

  static Rounding of(DateHistogram request) {
    return of(request.interval(), request.source().zone(), request.offsetMillis());
  }

  static Rounding of(Interval interval, @Nullable ZoneId given, long offsetMillis) {
    ZoneId zone = given == null ? ZoneOffset.UTC : given;
    return switch (interval) {
      case Interval.Calendar(var unit) -> Rounding.calendar(unit, zone, offsetMillis);
      case Interval.Fixed(long millis) -> Rounding.fixed(millis, zone, offsetMillis);
    };
  }

  /**
   * Prepares a rounding for the range of values that the field's points give. Without points the
   * range is unknown, and the rounding is prepared for all values.
   */
  static Rounding.Prepared prepared(Rounding rounding, FieldValues values, LeafReaderContext leaf)
      throws IOException {
    LeafField field = values.field();
    PointValues points =
        field == null || !field.indexed() ? null : leaf.reader().getPointValues(field.path());
    if (points == null || points.getBytesPerDimension() != Long.BYTES) {
      return rounding.prepare(0, -1);
    }
    long min = LongPoint.decodeDimension(points.getMinPackedValue(), 0);
    long max = LongPoint.decodeDimension(points.getMaxPackedValue(), 0);
    return values.kind() == FieldValues.Kind.NANOS
        ? rounding.prepare(FieldValues.millis(min), FieldValues.millis(max))
        : rounding.prepare(min, max);
  }
}
