package io.varve.coordinator.rest.index;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The conditions of a rollover. Any condition that is met triggers it. */
final class RolloverConditions {

  /** Statistics of an index's primaries. */
  record IndexSize(long ageMillis, long docs, long sizeBytes) {}

  private final Map<String, Predicate<IndexSize>> byText = new LinkedHashMap<>();

  static RolloverConditions read(Map<?, ?> conditions) {
    RolloverConditions read = new RolloverConditions();
    conditions.forEach((name, value) -> read.add(String.valueOf(name), String.valueOf(value)));
    return read;
  }

  private void add(String name, String value) {
    switch (name) {
      case "max_age" -> {
        long millis = TimeValues.parseMillis(name, value);
        byText.put("[max_age: " + value + "]", size -> size.ageMillis() >= millis);
      }
      case "max_docs" -> {
        long docs = docs(value);
        byText.put("[max_docs: " + docs + "]", size -> size.docs() >= docs);
      }
      case "max_size" -> {
        long bytes = ByteValues.parseBytes(name, value);
        byText.put("[max_size: " + value + "]", size -> size.sizeBytes() >= bytes);
      }
      default ->
          throw new ApiException(
              400, "x_content_parse_exception", "[conditions] unknown field [" + name + "]");
    }
  }

  private static long docs(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("failed to parse [max_docs] with value [" + value + "]"));
    }
  }

  /** Returns for each condition, keyed by its text, whether it is met. */
  Map<String, Boolean> results(IndexSize size) {
    Map<String, Boolean> results = new LinkedHashMap<>();
    byText.forEach((text, condition) -> results.put(text, condition.test(size)));
    return results;
  }

  boolean none() {
    return byText.isEmpty();
  }
}
