package io.varve.search.mapping;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One alternative of a date format, with its parser and printer.
 *
 * <p>The patterns of named formats consist of the letters of {@code DateTimeFormatter} and a few
 * more: {@code F} is a fraction of up to nine digits, {@code Z} a zone in any notation, {@code x},
 * {@code w} and {@code e} are week-based year, week and day of the week. A format whose name begins
 * with {@code strict_} requires every number to have all its digits.
 *
 * @param letters of the pattern; a parsed time reports zero for parts that the text lacks
 * @param plain whether this is the most frequent pattern, which has its own parser
 * @param numeric whether its output is independent of locale data
 */
record DatePattern(
    DateTimeFormatter reader,
    DateTimeFormatter printer,
    String letters,
    boolean needsZone,
    boolean plain,
    boolean numeric) {

  private static final Pattern QUOTED = Pattern.compile("'[^']*'");
  private static final Pattern NAMES =
      Pattern.compile("[A-Za-z&&[^uydDHhkKmsSnNAXxpMLQqZ]]|M{3}|L{3}|Q{3}|q{3}|Z{4}");
  private static final String STRICT = "strict_";
  private static final DatePattern LENIENT_ISO =
      compile("uuuu[-MM[-dd['T'[HH[:mm[:ss[F]]][z]]]]]", Locale.ROOT, true);

  private static final Map<String, String> NAMED =
      Map.ofEntries(
          Map.entry("basic_date", "uuuuMMdd"),
          Map.entry("basic_date_time", "uuuuMMdd'T'HHmmssFZ"),
          Map.entry("basic_date_time_no_millis", "uuuuMMdd'T'HHmmssZ"),
          Map.entry("basic_ordinal_date", "uuuuDDD"),
          Map.entry("basic_ordinal_date_time", "uuuuDDD'T'HHmmssFZ"),
          Map.entry("basic_ordinal_date_time_no_millis", "uuuuDDD'T'HHmmssZ"),
          Map.entry("basic_time", "HHmmssFZ"),
          Map.entry("basic_time_no_millis", "HHmmssZ"),
          Map.entry("basic_t_time", "'T'HHmmssFZ"),
          Map.entry("basic_t_time_no_millis", "'T'HHmmssZ"),
          Map.entry("basic_week_date", "xxxx'W'wwe"),
          Map.entry("basic_week_date_time", "xxxx'W'wwe'T'HHmmssFZ"),
          Map.entry("basic_week_date_time_no_millis", "xxxx'W'wwe'T'HHmmssZ"),
          Map.entry("date", "uuuu-MM-dd"),
          Map.entry("date_hour", "uuuu-MM-dd'T'HH"),
          Map.entry("date_hour_minute", "uuuu-MM-dd'T'HH:mm"),
          Map.entry("date_hour_minute_second", "uuuu-MM-dd'T'HH:mm:ss"),
          Map.entry("date_hour_minute_second_fraction", "uuuu-MM-dd'T'HH:mm:ssF"),
          Map.entry("date_hour_minute_second_millis", "uuuu-MM-dd'T'HH:mm:ssF"),
          Map.entry("date_time", "uuuu-MM-dd'T'HH:mm:ssFZ"),
          Map.entry("date_time_no_millis", "uuuu-MM-dd'T'HH:mm:ssZ"),
          Map.entry("hour", "HH"),
          Map.entry("hour_minute", "HH:mm"),
          Map.entry("hour_minute_second", "HH:mm:ss"),
          Map.entry("hour_minute_second_fraction", "HH:mm:ssF"),
          Map.entry("hour_minute_second_millis", "HH:mm:ssF"),
          Map.entry("ordinal_date", "uuuu-DDD"),
          Map.entry("ordinal_date_time", "uuuu-DDD'T'HH:mm:ssFZ"),
          Map.entry("ordinal_date_time_no_millis", "uuuu-DDD'T'HH:mm:ssZ"),
          Map.entry("time", "HH:mm:ssFZ"),
          Map.entry("time_no_millis", "HH:mm:ssZ"),
          Map.entry("t_time", "'T'HH:mm:ssFZ"),
          Map.entry("t_time_no_millis", "'T'HH:mm:ssZ"),
          Map.entry("week_date", "xxxx-'W'ww-e"),
          Map.entry("week_date_time", "xxxx-'W'ww-e'T'HH:mm:ssFZ"),
          Map.entry("week_date_time_no_millis", "xxxx-'W'ww-e'T'HH:mm:ssZ"),
          Map.entry("weekyear", "xxxx"),
          Map.entry("week_year", "xxxx"),
          Map.entry("weekyear_week", "xxxx-'W'ww"),
          Map.entry("weekyear_week_day", "xxxx-'W'ww-e"),
          Map.entry("year", "uuuu"),
          Map.entry("year_month", "uuuu-MM"),
          Map.entry("year_month_day", "uuuu-MM-dd"));

  /** The format with that name, or null. */
  static @Nullable DatePattern named(String name, Locale locale) {
    boolean strict = name.startsWith(STRICT);
    String pattern = NAMED.get(strict ? name.substring(STRICT.length()) : name);
    // Adjacent numbers must have all their digits to be separable.
    return pattern == null ? null : compile(pattern, locale, !strict && !name.startsWith("basic_"));
  }

  /** The pattern of ISO dates whose numbers may have fewer digits than usual. */
  static DatePattern lenientIso() {
    return LENIENT_ISO;
  }

  /** A pattern in the syntax of {@code DateTimeFormatter}. */
  static DatePattern custom(String given, Locale locale) {
    try {
      if (given.isBlank()) {
        throw new IllegalArgumentException("No date pattern provided");
      }
      String pattern = withProlepticYears(given.startsWith("8") ? given.substring(1) : given);
      String letters = QUOTED.matcher(pattern).replaceAll("");
      DateTimeFormatter formatter =
          new DateTimeFormatterBuilder()
              .parseCaseInsensitive()
              .appendPattern(pattern)
              .toFormatter(locale);
      return new DatePattern(
          formatter,
          formatter,
          letters,
          false,
          pattern.equals(PlainDateTime.PATTERN),
          !NAMES.matcher(letters).find());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Invalid format: [" + given + "]: " + e.getMessage(), e);
    }
  }

  /**
   * Replaces {@code y}, the year of an era, by the proleptic year, because most texts do not
   * contain the era.
   */
  private static String withProlepticYears(String pattern) {
    StringBuilder result = new StringBuilder(pattern.length());
    boolean quoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      quoted ^= c == '\'';
      result.append(c == 'y' && !quoted ? 'u' : c);
    }
    return result.toString();
  }

  private static DatePattern compile(String pattern, Locale locale, boolean lenient) {
    String letters = QUOTED.matcher(pattern).replaceAll("").replace('F', 'S').replace("Z", "");
    return new DatePattern(
        builder(pattern, lenient, true).toFormatter(locale),
        builder(pattern, false, false).toFormatter(locale),
        letters,
        pattern.indexOf('Z') >= 0,
        false,
        true);
  }

  private static DateTimeFormatterBuilder builder(
      String pattern, boolean lenient, boolean forReading) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
    for (int i = 0; i < pattern.length(); ) {
      char c = pattern.charAt(i);
      int end = i + 1;
      if (c == '\'') {
        end = pattern.indexOf('\'', i + 1) + 1;
        builder.appendLiteral(pattern.substring(i + 1, end - 1));
      } else {
        while (end < pattern.length() && pattern.charAt(end) == c && Character.isLetter(c)) {
          end++;
        }
        append(builder, c, end - i, lenient, forReading);
      }
      i = end;
    }
    return builder;
  }

  private static void append(
      DateTimeFormatterBuilder builder, char c, int count, boolean lenient, boolean forReading) {
    switch (c) {
      case '[' -> builder.optionalStart();
      case ']' -> builder.optionalEnd();
      case 'F' -> {
        if (forReading) {
          builder
              .optionalStart()
              .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
              .optionalEnd();
        } else {
          builder.appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true);
        }
      }
      case 'Z', 'z' -> {
        if (forReading) {
          builder.appendPattern("[XXX][XX][X][VV]");
        } else {
          builder.appendPattern("XXX");
        }
      }
      case 'x' -> builder.appendValue(IsoFields.WEEK_BASED_YEAR, 4, 10, SignStyle.EXCEEDS_PAD);
      case 'w' ->
          builder.appendValue(
              IsoFields.WEEK_OF_WEEK_BASED_YEAR, lenient ? 1 : 2, 2, SignStyle.NOT_NEGATIVE);
      case 'e' -> builder.appendValue(ChronoField.DAY_OF_WEEK, 1);
      default -> {
        if (!Character.isLetter(c)) {
          builder.appendLiteral(c);
        } else if (lenient) {
          builder.appendPattern(String.valueOf(c));
        } else {
          builder.appendPattern(String.valueOf(c).repeat(count));
        }
      }
    }
  }

  String print(Instant instant, ZoneId zone) {
    return printer.format(instant.atZone(zone));
  }

  private boolean lacks(String any) {
    return letters.chars().noneMatch(c -> any.indexOf(c) >= 0);
  }

  Instant instant(String text, ZoneId zone, boolean toEnd) {
    TemporalAccessor parsed = reader.withResolverStyle(ResolverStyle.SMART).parse(text);
    ZoneId own = parsed.query(TemporalQueries.zone());
    if (own == null && needsZone) {
      throw new DateTimeException("a zone is missing");
    }
    if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
      return Instant.from(parsed);
    }
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date == null) {
      date = filledDate(parsed, toEnd);
    }
    LocalTime given = parsed.query(TemporalQueries.localTime());
    LocalTime time = given == null ? LocalTime.MIDNIGHT : given;
    if (toEnd) {
      time = given == null ? LocalTime.MAX : filledTime(time);
    }
    return LocalDateTime.of(date, time).atZone(own == null ? zone : own).toInstant();
  }

  private LocalTime filledTime(LocalTime time) {
    LocalTime filled = time;
    if (lacks("HhKkAN")) {
      return LocalTime.MAX;
    }
    if (lacks("mAN")) {
      filled = filled.withMinute(59);
    }
    if (lacks("sAN")) {
      filled = filled.withSecond(59);
    }
    return lacks("SnAN") ? filled.withNano(999_999_999) : filled;
  }

  private static LocalDate filledDate(TemporalAccessor parsed, boolean toEnd) {
    if (parsed.isSupported(IsoFields.WEEK_BASED_YEAR)) {
      return filledWeek(parsed, toEnd);
    }
    int year = field(parsed, ChronoField.YEAR, 1970, 1970, toEnd);
    int month = field(parsed, ChronoField.MONTH_OF_YEAR, 1, 12, toEnd);
    int last = YearMonth.of(year, month).lengthOfMonth();
    return LocalDate.of(year, month, field(parsed, ChronoField.DAY_OF_MONTH, 1, last, toEnd));
  }

  private static LocalDate filledWeek(TemporalAccessor parsed, boolean toEnd) {
    LocalDate inYear =
        LocalDate.of(2000, 1, 4)
            .with(IsoFields.WEEK_BASED_YEAR, parsed.getLong(IsoFields.WEEK_BASED_YEAR))
            .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1);
    if (parsed.isSupported(IsoFields.WEEK_OF_WEEK_BASED_YEAR)) {
      inYear =
          inYear.with(
              IsoFields.WEEK_OF_WEEK_BASED_YEAR, parsed.getLong(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
    } else if (toEnd) {
      inYear =
          inYear.with(
              IsoFields.WEEK_OF_WEEK_BASED_YEAR,
              IsoFields.WEEK_OF_WEEK_BASED_YEAR.rangeRefinedBy(inYear).getMaximum());
    }
    return inYear.with(toEnd ? DayOfWeek.SUNDAY : DayOfWeek.MONDAY);
  }

  private static int field(
      TemporalAccessor parsed, ChronoField field, int first, int last, boolean toEnd) {
    if (parsed.isSupported(field)) {
      return parsed.get(field);
    }
    return toEnd ? last : first;
  }
}
