package io.varve.clients.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces field names in a request with fields of the fuzz index, so that requests access values
 * instead of unmapped fields. Field types match only by chance.
 */
final class FieldNames {

  private static final List<String> OURS =
      List.of(
          "title",
          "title.raw",
          "tag",
          "pages",
          "price",
          "day",
          "sold",
          "from",
          "place",
          "a.b",
          "a",
          "unmapped.deep",
          "_id",
          "_doc",
          "nothing");

  /** Objects in which the only key, or every key, is a field name. */
  private static final Set<String> BY_FIELD =
      Set.of(
          "match",
          "match_phrase",
          "match_phrase_prefix",
          "match_bool_prefix",
          "term",
          "terms",
          "range",
          "prefix",
          "wildcard",
          "regexp",
          "fuzzy",
          "geo_distance",
          "geo_bounding_box",
          "geo_polygon",
          "intervals",
          "span_term",
          "terms_set",
          "fields");

  private static final Set<String> HOLD_A_FIELD = Set.of("field", "path", "default_field");

  private FieldNames() {}

  static @Nullable Object replaced(@Nullable Object tree, Dice dice) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
          String name = String.valueOf(key);
          copy.put(name, under(name, value, dice));
        });
        yield copy;
      }
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(replaced(element, dice)));
        yield copy;
      }
      case null -> null;
      default -> tree;
    };
  }

  private static @Nullable Object under(String key, @Nullable Object value, Dice dice) {
    if (value instanceof String && HOLD_A_FIELD.contains(key)) {
      return dice.oneOf(OURS);
    }
    if (value instanceof Map<?, ?> map && BY_FIELD.contains(key) && map.get("field") == null) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((name, inner) -> copy.put(dice.oneOf(OURS), replaced(inner, dice)));
      return copy;
    }
    if (key.equals("sort") && value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element ->
          copy.add(
              element instanceof Map<?, ?> map && !map.isEmpty()
                  ? new LinkedHashMap<>(Map.of(dice.oneOf(OURS), map.values().iterator().next()))
                  : dice.oneOf(OURS)));
      return copy;
    }
    return replaced(value, dice);
  }
}
