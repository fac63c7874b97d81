package io.varve.search.aggregation.parse;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the word that was meant. */
final class Spelling {

  private record Near(String word, double distance) {}

  private Spelling() {}

  /** {@code " did you mean [x]?"}, or nothing when no word is near. */
  static String hint(String given, Collection<String> words) {
    List<Near> near = new ArrayList<>();
    for (String word : words) {
      double distance = (double) distance(given, word) / Math.max(given.length(), word.length());
      // Two letters out of three changed places.
      if (distance <= 0.5 || (distance < 0.7 && given.length() <= 3)) {
        near.add(new Near(word, distance));
      }
    }
    near.sort(Comparator.comparingDouble(Near::distance));
    if (near.isEmpty()) {
      return "";
    }
    return near.size() == 1
        ? " did you mean [" + near.getFirst().word + "]?"
        : " did you mean any of " + near.stream().map(Near::word).toList() + "?";
  }

  /** Letters to change, add or take away. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
