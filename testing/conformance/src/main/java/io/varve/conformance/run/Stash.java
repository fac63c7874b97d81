package io.varve.conformance.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values that a test keeps from responses for later steps. {@code $name} is replaced by the
 * value, {@code ${name}} within a text by its string form. {@code $body} is the last response.
 */
final class Stash {

  private static final Pattern EMBEDDED = Pattern.compile("\\$\\{([^}]+)}");

  private final Map<String, @Nullable Object> values = new HashMap<>();

  void put(String name, @Nullable Object value) {
    values.put(name, value);
  }

  /** Returns the value with all references replaced; unknown references remain unchanged. */
  @Nullable Object resolve(@Nullable Object value) {
    return switch (value) {
      case String text -> resolveText(text);
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
        map.forEach((key, inner) -> resolved.put(String.valueOf(resolve(key)), resolve(inner)));
        yield resolved;
      }
      case List<?> list -> {
        List<@Nullable Object> resolved = new ArrayList<>();
        list.forEach(inner -> resolved.add(resolve(inner)));
        yield resolved;
      }
      case null, default -> value;
    };
  }

  private @Nullable Object resolveText(String text) {
    if (text.startsWith("$") && values.containsKey(text.substring(1))) {
      return values.get(text.substring(1));
    }
    if (text.startsWith("${") && text.endsWith("}")) {
      String name = text.substring(2, text.length() - 1);
      if (values.containsKey(name)) {
        return values.get(name);
      }
    }
    return EMBEDDED
        .matcher(text)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                values.containsKey(found.group(1))
                    ? String.valueOf(values.get(found.group(1)))
                    : found.group()));
  }
}
