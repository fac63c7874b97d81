package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The format of a date field: alternatives between {@code ||} that are tried in order. The first
 * one is used for printing.
 *
 * <p>A text that lacks parts denotes the start of the period that it names (2014 is the first of
 * January), or its last nanosecond where a range needs the end. A text without a zone is in the
 * given zone, by default UTC.
 */
public final class DateFormat {

  public static final DateFormat DEFAULT = of("strict_date_optional_time||epoch_millis");

  /** The result of {@link #parsePlain} for texts that {@link #parse(Object)} must read. */
  public static final long NOT_PLAIN = PlainDateTime.NONE;

  private static final class Cache {
    private static final int MOST = 1000;
    private static final Map<String, DateFormat> FORMATS = new ConcurrentHashMap<>();
  }

  private sealed interface Alternative {
    record Epoch(int millisPerUnit) implements Alternative {}

    record Iso(boolean strict, boolean nanos) implements Alternative {}

    record Patterned(DatePattern pattern) implements Alternative {}
  }

  private static final Pattern EPOCH = Pattern.compile("-?\\d{1,18}(\\.\\d{1,9})?");
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final String format;
  private final List<Alternative> alternatives;

  private DateFormat(String format, Locale locale) {
    this.format = format;
    List<Alternative> parsed = new ArrayList<>();
    for (String one : format.split("\\|\\|", -1)) {
      parsed.add(alternative(one, locale));
    }
    this.alternatives = List.copyOf(parsed);
  }

  /** Throws {@link IllegalArgumentException} for an invalid format. */
  public static DateFormat of(String format) {
    return of(format, "");
  }

  /** A format with names of days and months in the language of a locale. */
  public static DateFormat of(String format, String locale) {
    String key = locale.isEmpty() ? format : locale + "\n" + format;
    DateFormat known = Cache.FORMATS.get(key);
    if (known == null) {
      known = new DateFormat(format, locale(locale));
      if (Cache.FORMATS.size() < Cache.MOST) {
        Cache.FORMATS.put(key, known);
      }
    }
    return known;
  }

  /** Parses a language tag with hyphens or underscores. */
  public static Locale locale(String name) {
    if (name.isEmpty() || name.equalsIgnoreCase("root")) {
      return Locale.ROOT;
    }
    try {
      return new Locale.Builder().setLanguageTag(name.replace('_', '-')).build();
    } catch (IllformedLocaleException e) {
      throw new IllegalArgumentException("Unknown locale [" + name + "]", e);
    }
  }

  private static Alternative alternative(String name, Locale locale) {
    return switch (name) {
      case "epoch_millis" -> new Alternative.Epoch(1);
      case "epoch_second" -> new Alternative.Epoch(1000);
      case "strict_date_optional_time" -> new Alternative.Iso(true, false);
      case "strict_date_optional_time_nanos" -> new Alternative.Iso(true, true);
      case "date_optional_time" -> new Alternative.Iso(false, false);
      case "iso8601", "rfc3339_lenient" -> new Alternative.Iso(false, true);
      default -> {
        DatePattern named = DatePattern.named(name, locale);
        yield new Alternative.Patterned(named == null ? DatePattern.custom(name, locale) : named);
      }
    };
  }

  @Override
  public String toString() {
    return format;
  }

  /**
   * Parses a date of a document to milliseconds since 1970. The date is a text, or a number if the
   * format contains an epoch format.
   */
  public long parse(Object value) {
    return parse(value.toString(), ZoneOffset.UTC, false);
  }

  /**
   * Parses a complete date in the most frequent notations of the first alternative, as {@link
   * #parse(Object)} does.
   *
   * @return {@link #NOT_PLAIN} if the text is in another notation or malformed
   */
  public long parsePlain(byte[] ascii, int from, int length) {
    return switch (alternatives.getFirst()) {
      case Alternative.Patterned(var pattern) when pattern.plain() ->
          PlainDateTime.parse(ascii, from, length);
      case Alternative.Iso _ -> PlainDateTime.parseIso(ascii, from, length);
      default -> NOT_PLAIN;
    };
  }

  /** Parses a date of a document to nanoseconds since 1970. */
  public long parseNanos(Object value) {
    return nanos(instant(value.toString(), ZoneOffset.UTC, false));
  }

  /**
   * Converts an instant to nanoseconds since 1970; refuses instants outside the range of a long.
   */
  public static long nanos(Instant instant) {
    if (instant.getEpochSecond() < 0) {
      throw new ValueException(
          ErrorBody.illegalArgument(
              "date["
                  + instant
                  + "] is before the epoch in 1970 and cannot be stored in nanosecond resolution"));
    }
    try {
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
    } catch (ArithmeticException e) {
      throw new ValueException(
          ErrorBody.illegalArgument(
              "date["
                  + instant
                  + "] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond"
                  + " resolution"));
    }
  }

  public static Instant ofNanos(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  /**
   * Parses a date to milliseconds since 1970.
   *
   * @param toEnd whether a text that lacks parts denotes the last millisecond of its period
   */
  public long parse(String text, ZoneId zone, boolean toEnd) {
    for (Alternative alternative : alternatives) {
      Long millis = tryMillis(alternative, text, zone, toEnd);
      if (millis != null) {
        return millis;
      }
    }
    throw refused(text);
  }

  /** Parses a date as {@link #parse(String, ZoneId, boolean)} does, but with nanoseconds. */
  public Instant instant(String text, ZoneId zone, boolean toEnd) {
    for (Alternative alternative : alternatives) {
      Instant instant = tryParse(alternative, text, zone, toEnd);
      if (instant != null) {
        return instant;
      }
    }
    throw refused(text);
  }

  private ValueException refused(String text) {
    return new ValueException(
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

  /** Fast path for the most frequent formats; allocates nothing. */
  private static @Nullable Long tryMillis(
      Alternative alternative, String text, ZoneId zone, boolean toEnd) {
    if (alternative instanceof Alternative.Iso(var strict, _)) {
      Long millis = IsoDate.parse(text, zone, toEnd);
      if (millis != null || strict) {
        return millis;
      }
    }
    if (alternative instanceof Alternative.Patterned(var pattern)
        && pattern.plain()
        && !toEnd
        && zone.equals(ZoneOffset.UTC)) {
      long millis = PlainDateTime.parse(text);
      if (millis != PlainDateTime.NONE) {
        return millis;
      }
    }
    Instant instant = tryParse(alternative, text, zone, toEnd);
    try {
      return instant == null ? null : (Long) instant.toEpochMilli();
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static @Nullable Instant tryParse(
      Alternative alternative, String text, ZoneId zone, boolean toEnd) {
    try {
      return switch (alternative) {
        case Alternative.Epoch epoch -> tryEpoch(epoch, text);
        case Alternative.Iso iso -> {
          Instant instant = IsoDate.instant(text, zone, toEnd);
          yield instant != null || iso.strict
              ? instant
              : DatePattern.lenientIso().instant(text, zone, toEnd);
        }
        case Alternative.Patterned patterned -> patterned.pattern.instant(text, zone, toEnd);
      };
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static @Nullable Instant tryEpoch(Alternative.Epoch epoch, String text) {
    if (!EPOCH.matcher(text).matches()) {
      return null;
    }
    try {
      if (text.indexOf('.') < 0) {
        return Instant.ofEpochMilli(
            Math.multiplyExact(Long.parseLong(text), (long) epoch.millisPerUnit));
      }
      BigDecimal nanos =
          new BigDecimal(text)
              .multiply(BigDecimal.valueOf(epoch.millisPerUnit * 1_000_000L))
              .setScale(0, RoundingMode.FLOOR);
      var parts = nanos.toBigInteger().divideAndRemainder(BigInteger.valueOf(NANOS_PER_SECOND));
      return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
    } catch (ArithmeticException e) {
      return null;
    }
  }

  /**
   * Whether the first alternative prints digits only. Names of months and days and the start of the
   * week depend on the platform's locale data.
   */
  public boolean writesNumbersAlone() {
    return !(alternatives.getFirst() instanceof Alternative.Patterned(var pattern))
        || pattern.numeric();
  }

  /** Prints milliseconds since 1970 with the first alternative, in UTC. */
  public String print(long millis) {
    return print(millis, ZoneOffset.UTC);
  }

  /** Prints milliseconds since 1970 with the first alternative. */
  public String print(long millis, ZoneId zone) {
    return print(Instant.ofEpochMilli(millis), zone);
  }

  /** Prints an instant with the first alternative, with as many fraction digits as it needs. */
  public String print(Instant instant, ZoneId zone) {
    return switch (alternatives.getFirst()) {
      case Alternative.Epoch epoch -> printEpoch(instant, epoch.millisPerUnit);
      case Alternative.Iso iso ->
          IsoDate.print(iso.nanos ? instant : instant.truncatedTo(ChronoUnit.MILLIS), zone);
      case Alternative.Patterned patterned -> patterned.pattern.print(instant, zone);
    };
  }

  private static String printEpoch(Instant instant, int millisPerUnit) {
    String whole = Long.toString(Math.floorDiv(instant.toEpochMilli(), millisPerUnit));
    int beyond = instant.get(ChronoField.NANO_OF_SECOND) % 1_000_000;
    if (millisPerUnit > 1 || beyond == 0) {
      return whole;
    }
    return whole + "." + String.format(Locale.ROOT, "%06d", beyond).replaceAll("0+$", "");
  }
}
