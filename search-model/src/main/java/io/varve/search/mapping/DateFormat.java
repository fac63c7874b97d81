package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A date field's format: alternatives between {@code ||}, tried in order; the first one writes.
 *
 * <p>What a text leaves out is filled in at the start of the time that it names (2014 is the first
 * of January), or at its last millisecond when a range needs its end. Without a zone the text is in
 * the zone given, else in UTC.
 */
public final class DateFormat {

  public static final DateFormat DEFAULT = of("strict_date_optional_time||epoch_millis");

  private static final class Cache {
    private static final int MOST = 1000;
    private static final Map<String, DateFormat> FORMATS = new ConcurrentHashMap<>();
  }

  private sealed interface Alternative {
    record Epoch(int millisPerUnit) implements Alternative {}

    record Iso() implements Alternative {}

    /**
     * @param plain the commonest pattern, which has a reader of its own
     * @param letters of the pattern: a parsed time says zero of the parts that the text lacks
     */
    record Patterned(DateTimeFormatter formatter, boolean plain, String letters)
        implements Alternative {
      boolean lacks(String any) {
        return letters.chars().noneMatch(c -> any.indexOf(c) >= 0);
      }
    }
  }

  private static final Pattern QUOTED = Pattern.compile("'[^']*'");
  private static final Pattern EPOCH = Pattern.compile("-?\\d{1,18}(\\.\\d{1,9})?");

  private final String format;
  private final List<Alternative> alternatives;

  private DateFormat(String format) {
    this.format = format;
    List<Alternative> parsed = new ArrayList<>();
    for (String one : format.split("\\|\\|", -1)) {
      parsed.add(alternative(one));
    }
    this.alternatives = List.copyOf(parsed);
  }

  /** A format by its text; {@link IllegalArgumentException} when it is none. */
  public static DateFormat of(String format) {
    DateFormat known = Cache.FORMATS.get(format);
    if (known == null) {
      known = new DateFormat(format);
      if (Cache.FORMATS.size() < Cache.MOST) {
        Cache.FORMATS.put(format, known);
      }
    }
    return known;
  }

  private static Alternative alternative(String name) {
    return switch (name) {
      case "epoch_millis" -> new Alternative.Epoch(1);
      case "epoch_second" -> new Alternative.Epoch(1000);
      case "strict_date_optional_time",
          "date_optional_time",
          "strict_date_optional_time_nanos",
          "iso8601" ->
          new Alternative.Iso();
      case "date", "strict_date" -> pattern("uuuu-MM-dd");
      case "date_time", "strict_date_time" -> pattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX");
      case "date_time_no_millis", "strict_date_time_no_millis" ->
          pattern("uuuu-MM-dd'T'HH:mm:ssXXX");
      case "date_hour_minute_second", "strict_date_hour_minute_second" ->
          pattern("uuuu-MM-dd'T'HH:mm:ss");
      case "basic_date" -> pattern("uuuuMMdd");
      case "basic_date_time" -> pattern("uuuuMMdd'T'HHmmss.SSSXX");
      case "basic_date_time_no_millis" -> pattern("uuuuMMdd'T'HHmmssXX");
      case "year", "strict_year" -> pattern("uuuu");
      case "year_month", "strict_year_month" -> pattern("uuuu-MM");
      case "year_month_day", "strict_year_month_day" -> pattern("uuuu-MM-dd");
      default -> custom(name);
    };
  }

  private static Alternative custom(String pattern) {
    try {
      if (pattern.isBlank()) {
        throw new IllegalArgumentException("No date pattern provided");
      }
      return pattern(yearsOfTheCalendar(pattern));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Invalid format: [" + pattern + "]: " + e.getMessage(), e);
    }
  }

  private static Alternative pattern(String pattern) {
    return new Alternative.Patterned(
        DateTimeFormatter.ofPattern(pattern, Locale.ROOT),
        pattern.equals(PlainDateTime.PATTERN),
        QUOTED.matcher(pattern).replaceAll(""));
  }

  /** {@code y} is the year of an era, which a text seldom names: read it as the year itself. */
  private static String yearsOfTheCalendar(String pattern) {
    StringBuilder result = new StringBuilder(pattern.length());
    boolean quoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      quoted ^= c == '\'';
      result.append(c == 'y' && !quoted ? 'u' : c);
    }
    return result.toString();
  }

  @Override
  public String toString() {
    return format;
  }

  /** A date as a document holds it: text, or a number where the format has an epoch. */
  public long parse(Object value) {
    return parse(value.toString(), ZoneOffset.UTC, false);
  }

  /**
   * A date's milliseconds since 1970.
   *
   * @param toEnd fill up what is left out to the last millisecond
   */
  public long parse(String text, ZoneId zone, boolean toEnd) {
    for (Alternative alternative : alternatives) {
      Long millis = tryParse(alternative, text, zone, toEnd);
      if (millis != null) {
        return millis;
      }
    }
    throw new ValueException(
        ErrorBody.illegalArgument(
                "failed to parse date field [" + text + "] with format [" + format + "]")
            .causedBy(
                ErrorBody.of(
                    400,
                    "date_time_parse_exception",
                    alternatives.size() > 1
                        ? "Failed to parse with all enclosed parsers"
                        : "Text '" + text + "' could not be parsed at index 0")));
  }

  private static @Nullable Long tryParse(
      Alternative alternative, String text, ZoneId zone, boolean toEnd) {
    return switch (alternative) {
      case Alternative.Epoch epoch -> tryEpoch(epoch, text);
      case Alternative.Iso iso -> IsoDate.parse(text, zone, toEnd);
      case Alternative.Patterned patterned -> {
        if (patterned.plain && !toEnd && zone.equals(ZoneOffset.UTC)) {
          long millis = PlainDateTime.parse(text);
          if (millis != PlainDateTime.NONE) {
            yield millis;
          }
        }
        try {
          yield filled(patterned, text, zone, toEnd);
        } catch (DateTimeException e) {
          yield null;
        }
      }
    };
  }

  private static @Nullable Long tryEpoch(Alternative.Epoch epoch, String text) {
    if (!EPOCH.matcher(text).matches()) {
      return null;
    }
    int dot = text.indexOf('.');
    try {
      if (dot < 0) {
        return Math.multiplyExact(Long.parseLong(text), (long) epoch.millisPerUnit);
      }
      BigDecimal units = new BigDecimal(text);
      return units
          .multiply(BigDecimal.valueOf(epoch.millisPerUnit))
          .setScale(0, RoundingMode.FLOOR)
          .longValueExact();
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static long filled(
      Alternative.Patterned pattern, String text, ZoneId zone, boolean toEnd) {
    TemporalAccessor parsed = pattern.formatter.parse(text);
    ZoneId own = parsed.query(TemporalQueries.zone());
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date == null) {
      date = filledDate(parsed, toEnd);
    }
    LocalTime given = parsed.query(TemporalQueries.localTime());
    LocalTime time = given == null ? LocalTime.MIDNIGHT : given;
    if (toEnd) {
      time = filledTime(pattern, time);
    }
    return LocalDateTime.of(date, time).atZone(own == null ? zone : own).toInstant().toEpochMilli();
  }

  private static LocalTime filledTime(Alternative.Patterned pattern, LocalTime time) {
    LocalTime filled = time;
    if (pattern.lacks("HhKkAN")) {
      return LocalTime.MAX;
    }
    if (pattern.lacks("mAN")) {
      filled = filled.withMinute(59);
    }
    if (pattern.lacks("sAN")) {
      filled = filled.withSecond(59);
    }
    return pattern.lacks("SnAN") ? filled.withNano(999_999_999) : filled;
  }

  private static LocalDate filledDate(TemporalAccessor parsed, boolean toEnd) {
    int year = field(parsed, ChronoField.YEAR, 1970, 1970, toEnd);
    int month = field(parsed, ChronoField.MONTH_OF_YEAR, 1, 12, toEnd);
    int last = YearMonth.of(year, month).lengthOfMonth();
    return LocalDate.of(year, month, field(parsed, ChronoField.DAY_OF_MONTH, 1, last, toEnd));
  }

  private static int field(
      TemporalAccessor parsed, ChronoField field, int first, int last, boolean toEnd) {
    if (parsed.isSupported(field)) {
      return parsed.get(field);
    }
    return toEnd ? last : first;
  }

  /** Milliseconds since 1970 as the first alternative writes them, in UTC. */
  public String print(long millis) {
    return print(millis, ZoneOffset.UTC);
  }

  /** Milliseconds since 1970 as the first alternative writes them, by the clock of a zone. */
  public String print(long millis, ZoneId zone) {
    return switch (alternatives.getFirst()) {
      case Alternative.Epoch epoch -> Long.toString(Math.floorDiv(millis, epoch.millisPerUnit));
      case Alternative.Iso iso -> IsoDate.print(millis, zone);
      case Alternative.Patterned patterned ->
          patterned.formatter.format(Instant.ofEpochMilli(millis).atZone(zone));
    };
  }
}
