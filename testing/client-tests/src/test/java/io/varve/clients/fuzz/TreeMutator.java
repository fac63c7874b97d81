package io.varve.clients.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Mutates a JSON tree at random places: changes types, drops or misspells keys, and inserts parts
 * of other requests, deep nesting and long values.
 */
final class TreeMutator {

  private static final int MOST_LEVELS = 4000;
  private static final int MOST_ELEMENTS = 3000;

  private final Dice dice;
  private final List<Object> donors;

  /**
   * Creates a mutator.
   *
   * @param donors the trees whose parts may be inserted into other trees
   */
  TreeMutator(Dice dice, List<Object> donors) {
    this.dice = dice;
    this.donors = donors;
  }

  @Nullable Object mutated(@Nullable Object tree, int times) {
    Object changed = tree;
    for (int i = 0; i < times; i++) {
      changed = at(changed, dice.below(1 + size(changed)));
    }
    return changed;
  }

  private static int size(@Nullable Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> map.size() + map.values().stream().mapToInt(TreeMutator::size).sum();
      case List<?> list -> list.size() + list.stream().mapToInt(TreeMutator::size).sum();
      case null, default -> 0;
    };
  }

  /** Returns the tree with its {@code place}th node mutated, counted depth-first from the root. */
  private @Nullable Object at(@Nullable Object tree, int place) {
    if (place == 0) {
      return changed(tree);
    }
    int left = place - 1;
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        int own = 1 + size(entry.getValue());
        boolean here = left >= 0 && left < own;
        String key = String.valueOf(entry.getKey());
        if (here && left == 0 && dice.chance(0.4)) {
          changeKey(copy, key, entry.getValue());
        } else {
          copy.put(key, here ? at(entry.getValue(), left) : entry.getValue());
        }
        left -= own;
      }
      return copy;
    }
    if (tree instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      for (Object element : list) {
        int own = 1 + size(element);
        copy.add(left >= 0 && left < own ? at(element, left) : element);
        left -= own;
      }
      return copy;
    }
    return changed(tree);
  }

  private void changeKey(Map<String, @Nullable Object> into, String key, @Nullable Object value) {
    switch (dice.below(4)) {
      case 0 -> into.put(OddValues.text(dice), value);
      case 1 -> into.put(key + dice.oneOf("s", "_", ".", ".x", " "), value);
      case 2 -> {
        into.put(key, value);
        into.put(OddValues.text(dice), OddValues.value(dice));
      }
      default -> {
        // Drop the key.
      }
    }
  }

  private @Nullable Object changed(@Nullable Object node) {
    return switch (dice.below(14)) {
      case 0, 1, 2, 3, 4 -> OddValues.value(dice);
      case 5 -> node == null ? List.of() : List.of(node);
      case 6 -> node == null ? Map.of() : Map.of(OddValues.text(dice), node);
      case 7, 8, 9 -> part(dice.oneOf(donors), 4);
      case 10 -> dice.chance(0.3) ? nested(node) : OddValues.text(dice);
      case 11 -> dice.chance(0.3) ? repeated(node) : 0;
      case 12 -> new OddValues.Raw(JsonText.of(node).replaceFirst("\\{", "{\"query\":1,"));
      default -> twice(node);
    };
  }

  /** Returns an object that contains the same key twice. */
  private static Object twice(@Nullable Object node) {
    if (node instanceof Map<?, ?> map && !map.isEmpty()) {
      String text = JsonText.of(map);
      return new OddValues.Raw(text.substring(0, text.length() - 1) + "," + text.substring(1));
    }
    return true;
  }

  private @Nullable Object part(@Nullable Object tree, int depth) {
    List<Object> children =
        switch (tree) {
          case Map<?, ?> map -> new ArrayList<>(map.values());
          case List<?> list -> new ArrayList<>(list);
          case null, default -> List.<Object>of();
        };
    return children.isEmpty() || depth == 0 || dice.chance(0.3)
        ? tree
        : part(dice.oneOf(children), depth - 1);
  }

  private Object nested(@Nullable Object node) {
    int levels = 1 << dice.below(12);
    String[] around =
        dice.oneOf(
            List.of(
                new String[] {"[", "]"},
                new String[] {"{\"a\":", "}"},
                new String[] {"{\"bool\":{\"must\":[", "]}}"},
                new String[] {"{\"constant_score\":{\"filter\":", "}}"},
                new String[] {"{\"bool\":{\"must_not\":", "}}"},
                new String[] {"{\"properties\":{\"a\":", "}}"},
                new String[] {"{\"aggs\":{\"a\":{\"global\":{},\"aggs\":{\"b\":", "}}}}"},
                new String[] {"{\"nested\":{\"path\":\"a\",\"query\":", "}}"}));
    int count = Math.min(levels, MOST_LEVELS);
    return new OddValues.Raw(around[0].repeat(count) + JsonText.of(node) + around[1].repeat(count));
  }

  private Object repeated(@Nullable Object node) {
    String text = JsonText.of(node);
    int count = Math.min(1 << dice.below(12), Math.max(1, 200_000 / (text.length() + 1)));
    return new OddValues.Raw(
        "[" + (text + ",").repeat(Math.min(count, MOST_ELEMENTS)) + text + "]");
  }
}
