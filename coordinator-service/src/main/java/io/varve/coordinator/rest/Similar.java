package io.varve.coordinator.rest;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * "Did you mean": the known words that are near to a misspelt one. Likeness is {@code 1 - edits /
 * length of the shorter word}; those above one half are named, the likest first.
 */
public final class Similar {

  private static final double THRESHOLD = 0.5;

  private Similar() {}

  /** The words themselves. */
  public static List<String> to(String word, Collection<String> known) {
    Map<String, Double> likeness = new TreeMap<>();
    for (String candidate : known) {
      double shorter = Math.max(1, Math.min(word.length(), candidate.length()));
      double value = 1 - edits(word, candidate) / shorter;
      if (value > THRESHOLD) {
        likeness.put(candidate, value);
      }
    }
    return likeness.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** {@code ""}, {@code -> did you mean [x]?} or {@code -> did you mean any of [x, y]?}. */
  public static String hint(String word, Collection<String> known) {
    List<String> near = to(word, known);
    return switch (near.size()) {
      case 0 -> "";
      case 1 -> " -> did you mean [" + near.getFirst() + "]?";
      default -> " -> did you mean any of " + near + "?";
    };
  }

  private static int edits(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(previous[j], row[j - 1]));
      }
      previous = row;
    }
    return previous[b.length()];
  }
}
