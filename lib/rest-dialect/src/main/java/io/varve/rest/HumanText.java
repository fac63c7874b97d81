package io.varve.rest;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code human=true}: adds a human-readable value before each number of bytes or
 * milliseconds, under the field's name without the unit.
 */
public final class HumanText {

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Fields that are timestamps, not durations. */
  private static final Set<String> DATES = Set.of("start_time", "stop_time");

  private HumanText() {}

  public static Map<String, Object> of(Map<?, ?> answer) {
    Map<String, Object> shown = new LinkedHashMap<>();
    answer.forEach((key, value) -> {
      String name = String.valueOf(key);
      String text = text(name, value);
      if (text != null) {
        shown.put(plain(name), text);
      }
      shown.put(name, value(value));
    });
    return shown;
  }

  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> of(map);
      case List<?> list -> list.stream().map(HumanText::value).toList();
      case null, default -> value;
    };
  }

  private static String plain(String name) {
    return name.substring(0, name.lastIndexOf("_in_"));
  }

  private static @Nullable String text(String name, @Nullable Object value) {
    if (!(value instanceof Number number)) {
      return null;
    }
    long amount = number.longValue();
    if (name.endsWith("_in_bytes")) {
      return ByteText.of(amount);
    }
    if (!name.endsWith("_in_millis")) {
      return null;
    }
    return DATES.contains(plain(name)) ? date(amount) : TimeText.of(Duration.ofMillis(amount));
  }

  /** Formats a timestamp as OpenSearch does. */
  public static String date(long epochMillis) {
    return DATE.format(Instant.ofEpochMilli(epochMillis));
  }
}
