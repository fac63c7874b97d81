package io.varve.rest;

import io.varve.text.Likeness;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * "Did you mean": the known words that are similar to a misspelt one. The similarity is {@code 1 -
 * edits / length of the shorter word}; words above one half are suggested, the most similar first.
 */
public final class DidYouMean {

  private static final double THRESHOLD = 0.5;

  private DidYouMean() {}

  /** The suggested words. */
  public static List<String> to(String word, Collection<String> known) {
    Map<String, Double> likeness = new TreeMap<>();
    for (String candidate : known) {
      double shorter = Math.max(1, Math.min(word.length(), candidate.length()));
      double value = 1 - Likeness.edits(word, candidate) / shorter;
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
}
