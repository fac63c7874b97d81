package io.varve.engine.search.aggregation;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.BucketAggregation.DateBounds;
import io.varve.search.aggregation.BucketAggregation.DateHistogram;
import io.varve.search.aggregation.BucketAggregation.Span;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the bounds of ranges and histograms in the field's format. */
final class RangeEnds {

  private final FieldResolver resolver;
  private final long nowMillis;

  RangeEnds(FieldResolver resolver, long nowMillis) {
    this.resolver = resolver;
    this.nowMillis = nowMillis;
  }

  List<RangeAggregator.Ends> numbers(FieldValues values, List<Span> spans) {
    List<RangeAggregator.Ends> ends = new ArrayList<>();
    for (Span span : spans) {
      Double from = end(values, span.from());
      Double to = end(values, span.to());
      ends.add(
          new RangeAggregator.Ends(
              from == null ? Double.NEGATIVE_INFINITY : kept(values, from),
              to == null ? Double.POSITIVE_INFINITY : kept(values, to),
              from,
              to));
    }
    return ends;
  }

  /** Bounds of numbers that are not field values. */
  List<RangeAggregator.Ends> plain(List<Span> spans) {
    List<RangeAggregator.Ends> ends = new ArrayList<>();
    for (Span span : spans) {
      Double from = number(span.from());
      Double to = number(span.to());
      ends.add(
          new RangeAggregator.Ends(
              from == null ? Double.NEGATIVE_INFINITY : from,
              to == null ? Double.POSITIVE_INFINITY : to,
              from,
              to));
    }
    return ends;
  }

  private static @Nullable Double number(@Nullable Object given) {
    if (given == null) {
      return null;
    }
    try {
      return given instanceof Number number
          ? (Double) number.doubleValue()
          : (Double) Double.parseDouble(given.toString());
    } catch (NumberFormatException e) {
      throw FieldResolver.illegal(String.valueOf(e.getMessage()));
    }
  }

  List<RangeAggregator.Ends> addresses(List<Span> spans) {
    List<RangeAggregator.Ends> ends = new ArrayList<>();
    for (Span span : spans) {
      ends.add(
          new RangeAggregator.Ends(
              Double.NEGATIVE_INFINITY,
              Double.POSITIVE_INFINITY,
              address(span.from()),
              address(span.to())));
    }
    return ends;
  }

  private static @Nullable BytesKey address(@Nullable Object given) {
    try {
      return given == null ? null : new BytesKey(Values.address(given.toString()));
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  /** Rounds a bound to the field's precision, so that an equal stored value compares as equal. */
  private static double kept(FieldValues values, double end) {
    LeafField field = values.field();
    return field != null && field.type() == FieldType.FLOAT ? (float) end : end;
  }

  private @Nullable Double end(FieldValues values, @Nullable Object given) {
    if (given == null) {
      return null;
    }
    if (values.format() instanceof ValueFormat.Dates dates) {
      return (double) millis(values, dates, given);
    }
    return number(given);
  }

  private long millis(FieldValues values, ValueFormat.Dates dates, Object given) {
    ZoneId zone = values.source().zone() == null ? ZoneOffset.UTC : values.source().zone();
    if (given instanceof Double millis) {
      return (long) (double) millis;
    }
    try {
      return new DateMath(DateFormat.of(dates.pattern()), nowMillis, zone)
          .millis(given.toString(), false);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  DateHistogramAggregator.Ends dates(FieldValues values, DateHistogram request) {
    DateBounds extended = request.extended();
    DateBounds hard = request.hard();
    DateHistogramAggregator.Ends ends =
        new DateHistogramAggregator.Ends(
            bound(values, extended == null ? null : extended.min()),
            bound(values, extended == null ? null : extended.max()),
            bound(values, hard == null ? null : hard.min()),
            bound(values, hard == null ? null : hard.max()));
    if (ends.from() != null && ends.to() != null && ends.from() > ends.to()) {
      throw FieldResolver.illegal(
          "[extended_bounds.min]["
              + values.format().text(ends.from().longValue())
              + "] cannot be greater than [extended_bounds.max]["
              + values.format().text(ends.to().longValue())
              + "] for histogram aggregation");
    }
    return ends;
  }

  private @Nullable Long bound(FieldValues values, @Nullable Object given) {
    if (given == null) {
      return null;
    }
    if (given instanceof Number number) {
      return number.longValue();
    }
    if (values.format() instanceof ValueFormat.Dates dates) {
      return millis(values, dates, given);
    }
    return ((Number) resolver.key(values, given)).longValue();
  }
}
