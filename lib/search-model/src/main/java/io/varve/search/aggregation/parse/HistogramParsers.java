package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Bounds;
import io.varve.search.aggregation.BucketAggregation.DateBounds;
import io.varve.search.aggregation.BucketAggregation.Shown;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.Interval;
import io.varve.search.aggregation.rounding.CalendarUnit;
import io.varve.search.json.JsonValue.Obj;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses histograms. */
final class HistogramParsers {

  private static final Pattern TIME =
      Pattern.compile("(\\d{1,15})\\s*(nanos|micros|ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

  /**
   * The default of {@code search.max_buckets}, divided by the largest multiple of a unit below a
   * year.
   */
  private static final int MOST_AUTO_BUCKETS = 65_535 / 30;

  private static final Map<String, CalendarUnit> AUTO_UNITS =
      Map.of(
          "year", CalendarUnit.YEAR,
          "month", CalendarUnit.MONTH,
          "day", CalendarUnit.DAY,
          "hour", CalendarUnit.HOUR,
          "minute", CalendarUnit.MINUTE,
          "second", CalendarUnit.SECOND);

  private HistogramParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "histogram" -> histogram(fields);
      case "date_histogram" -> dateHistogram(fields);
      case "variable_width_histogram" -> VariableWidthParser.read(fields);
      default -> autoDateHistogram(fields);
    };
  }

  private static BucketAggregation histogram(AggregationFields fields) {
    Double interval = fields.takeDouble("interval");
    if (interval == null) {
      throw AggregationFields.illegal(
          "Required one of fields [interval], but none were specified. ");
    }
    if (!(interval > 0) || interval.isInfinite()) {
      throw AggregationFields.illegal(
          "[interval] must be >0 for histogram aggregation [" + fields.name() + "]");
    }
    double offset = fields.takeDouble("offset", 0);
    Shown shown = shown(fields);
    Bounds extended = bounds(fields, "extended_bounds");
    Bounds hard = bounds(fields, "hard_bounds");
    checkWithin(extended, hard);
    return new BucketAggregation.Histogram(
        Sources.of(fields), interval, offset, shown, extended, hard);
  }

  private static BucketAggregation autoDateHistogram(AggregationFields fields) {
    int buckets = fields.takeInt("buckets", 10);
    TermsParsers.positive("buckets", buckets, fields);
    if (buckets >= MOST_AUTO_BUCKETS) {
      throw AggregationFields.illegal("buckets must be less than " + MOST_AUTO_BUCKETS);
    }
    String minimum = fields.takeString("minimum_interval");
    CalendarUnit least = minimum == null ? null : AUTO_UNITS.get(minimum);
    if (minimum != null && least == null) {
      throw AggregationFields.illegal(
          "minimum_interval must be one of [year, month, day, hour, minute, second]");
    }
    return new BucketAggregation.AutoDateHistogram(Sources.of(fields), buckets, least);
  }

  private static Shown shown(AggregationFields fields) {
    BucketOrder order = Orders.take(fields, BucketOrder.KEY_ASCENDING);
    long minDocs = fields.takeLong("min_doc_count", 0);
    if (minDocs < 0) {
      throw AggregationFields.illegal(
          "[minDocCount] must be greater than or equal to 0. Found ["
              + minDocs
              + "] in ["
              + fields.name()
              + "]");
    }
    return new Shown(order, minDocs, fields.takeBoolean("keyed", false));
  }

  private static @Nullable Bounds bounds(AggregationFields fields, String name) {
    Obj object = fields.takeObject(name);
    if (object == null) {
      return null;
    }
    AggregationFields ends = fields.within(name, object);
    Double min = ends.takeDouble("min");
    Double max = ends.takeDouble("max");
    ends.end("min", "max");
    if (min != null && max != null && min > max) {
      throw AggregationFields.illegal(
          "max bound [" + max + "] must be greater than min bound [" + min + "]");
    }
    return new Bounds(min, max);
  }

  private static void checkWithin(@Nullable Bounds extended, @Nullable Bounds hard) {
    if (extended == null || hard == null) {
      return;
    }
    boolean below = hard.min() != null && extended.min() != null && hard.min() > extended.min();
    boolean above = hard.max() != null && extended.max() != null && hard.max() < extended.max();
    if (below || above) {
      throw AggregationFields.illegal(
          "Extended bounds have to be inside hard bounds, hard bounds: ["
              + hard.min()
              + "--"
              + hard.max()
              + "], extended bounds: ["
              + extended.min()
              + "--"
              + extended.max()
              + "]");
    }
  }

  private static BucketAggregation dateHistogram(AggregationFields fields) {
    Interval interval = interval(fields);
    long offset = offset(fields.takeString("offset"));
    Shown shown = shown(fields);
    DateBounds extended = dateBounds(fields, "extended_bounds");
    DateBounds hard = dateBounds(fields, "hard_bounds");
    FieldSource source = Sources.of(fields);
    return new BucketAggregation.DateHistogram(source, interval, offset, shown, extended, hard);
  }

  static Interval interval(AggregationFields fields) {
    String calendar = fields.takeString("calendar_interval");
    String fixed = fields.takeString("fixed_interval");
    String legacy = fields.takeString("interval");
    if (calendar != null && fixed != null) {
      throw AggregationFields.illegal(
          "Cannot use [fixed_interval] with [calendar_interval] configuration option.");
    }
    if (legacy != null && (calendar != null || fixed != null)) {
      throw AggregationFields.illegal(
          "Cannot use [interval] with [fixed_interval] or [calendar_interval] configuration"
              + " options.");
    }
    if (calendar != null) {
      return calendar(calendar);
    }
    if (fixed != null) {
      return new Interval.Fixed(fixedMillis(fixed, "fixed_interval"));
    }
    if (legacy == null) {
      throw AggregationFields.illegal("Invalid interval specified, must be non-null and non-empty");
    }
    fields.warn(
        "[interval] on [date_histogram] is deprecated, use [fixed_interval] or"
            + " [calendar_interval] in the future.");
    CalendarUnit unit = CalendarUnit.named(legacy);
    return unit != null
        ? new Interval.Calendar(unit)
        : new Interval.Fixed(fixedMillis(legacy, "interval"));
  }

  private static Interval calendar(String text) {
    CalendarUnit unit = CalendarUnit.named(text);
    if (unit == null) {
      throw AggregationFields.illegal(
          "The supplied interval [" + text + "] could not be parsed as a calendar interval.");
    }
    return new Interval.Calendar(unit);
  }

  private static long fixedMillis(String text, String name) {
    long millis = millis(text, name);
    if (millis <= 0) {
      throw AggregationFields.illegal(
          "Zero or negative time interval not supported, was [" + text + "]");
    }
    return millis;
  }

  static long millis(String text, String name) {
    Matcher matcher = TIME.matcher(text.strip());
    if (!matcher.matches()) {
      if (text.strip().matches("\\d{1,18}")) {
        // As in OpenSearch, a number without a unit is in milliseconds.
        return Long.parseLong(text.strip());
      }
      throw AggregationFields.illegal(
          "failed to parse setting [date_histogram."
              + name
              + "] with value ["
              + text
              + "] as a time value: unit is missing or unrecognized");
    }
    long count = Long.parseLong(matcher.group(1));
    long unit =
        switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
          case "nanos", "micros" -> 0;
          case "ms" -> 1;
          case "s" -> 1_000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          default -> 86_400_000;
        };
    try {
      return Math.multiplyExact(count, unit);
    } catch (ArithmeticException e) {
      throw AggregationFields.illegal("a time of [" + text + "] is too long");
    }
  }

  static long offset(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return 0;
    }
    boolean minus = text.startsWith("-");
    String size = minus || text.startsWith("+") ? text.substring(1) : text;
    long millis = millis(size, "offset");
    return minus ? -millis : millis;
  }

  private static @Nullable DateBounds dateBounds(AggregationFields fields, String name) {
    Obj object = fields.takeObject(name);
    if (object == null) {
      return null;
    }
    AggregationFields ends = fields.within(name, object);
    Object min = ends.takeScalar("min");
    Object max = ends.takeScalar("max");
    ends.end("min", "max");
    return new DateBounds(min, max);
  }
}
