package io.varve.engine.search;

import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Range;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Translates date range queries. A bound that is rounded ({@code now/d}) or lacks parts denotes a
 * span of time, which the range includes or excludes as a whole:
 *
 * <pre>
 *   gte  first moment of the span        gt  after its last one
 *   lte  last moment of the span         lt  before its first one
 * </pre>
 *
 * Nanoseconds cover 1970 to 2262; a bound outside is clipped, or the query matches nothing.
 */
final class DateRanges {

  private static final Instant LAST_NANO = DateFormat.ofNanos(Long.MAX_VALUE);

  private final long nowMillis;

  DateRanges(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  Query ofMillis(LeafField field, Range range) {
    DateMath math = math(field, range);
    long lower = Long.MIN_VALUE;
    long upper = Long.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      long value = math.millis(from.value().toString(), !from.inclusive());
      lower = from.inclusive() ? value : value + 1;
    }
    if (to != null) {
      long value = math.millis(to.value().toString(), to.inclusive());
      upper = to.inclusive() ? value : value - 1;
    }
    return NumberRanges.longs(field, lower, upper);
  }

  Query ofNanos(LeafField field, Range range) {
    DateMath math = math(field, range);
    long lower = 0;
    long upper = Long.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      Instant instant = math.instant(from.value().toString(), !from.inclusive());
      if (instant.isAfter(LAST_NANO)) {
        return new MatchNoDocsQuery("after the last date in nanoseconds");
      }
      lower = instant.isBefore(Instant.EPOCH) ? 0 : DateFormat.nanos(instant);
      lower = from.inclusive() || instant.isBefore(Instant.EPOCH) ? lower : lower + 1;
    }
    if (to != null) {
      Instant instant = math.instant(to.value().toString(), to.inclusive());
      if (instant.isBefore(Instant.EPOCH)) {
        return new MatchNoDocsQuery("before the first date in nanoseconds");
      }
      upper = instant.isAfter(LAST_NANO) ? Long.MAX_VALUE : DateFormat.nanos(instant);
      upper = to.inclusive() || instant.isAfter(LAST_NANO) ? upper : upper - 1;
    }
    return NumberRanges.longs(field, lower, upper);
  }

  /**
   * The date parser of the bounds: with the format and zone of the range, otherwise those of the
   * field.
   */
  DateMath math(LeafField field, Range range) {
    DateFormat format = field.dateFormat();
    String own = range.format();
    if (own != null) {
      try {
        format = DateFormat.of(own);
      } catch (IllegalArgumentException e) {
        throw SearchErrors.illegal(String.valueOf(e.getMessage()));
      }
    }
    return new DateMath(format, nowMillis, zone(range.timeZone()));
  }

  private static ZoneId zone(@Nullable String name) {
    if (name == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw SearchErrors.illegal("[range] failed to parse field [time_zone]: " + e.getMessage());
    }
  }
}
