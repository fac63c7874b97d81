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
 * What {@code human=true} adds to an answer: before each number of bytes or milliseconds the same
 * as people write it, under the name without the unit.
 */
public final class HumanText {

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Points in time, not spans of it. */
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

  /** A moment as the dialect writes it. */
  public static String date(long epochMillis) {
    return DATE.format(Instant.ofEpochMilli(epochMillis));
  }
}
