package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.cat.CatTable.Time;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sections of statistics from which columns read their values; null if there was no report. */
record StatSections(@Nullable Map<String, Object> sections) {

  static final StatSections UNKNOWN = new StatSections(null);

  @Nullable Object value(StatColumn column) {
    Object found = sections;
    for (String name : column.path().split("\\.", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(name) : null;
    }
    if (!(found instanceof Number number)) {
      return null;
    }
    return switch (column.kind()) {
      case COUNT -> number.longValue();
      case FRACTION -> String.format(Locale.ROOT, "%.2f", number.doubleValue());
      case BYTES -> new Bytes(number.longValue());
      case MILLIS -> new Time(Duration.ofMillis(number.longValue()));
    };
  }

  long number(String path) {
    return value(new StatColumn("", "", "", path, StatColumn.Kind.COUNT)) instanceof Long number
        ? number
        : 0;
  }
}
