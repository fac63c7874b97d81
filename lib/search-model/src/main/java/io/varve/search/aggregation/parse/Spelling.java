package io.varve.search.aggregation.parse;

import io.varve.search.json.Suggestions;
import java.util.Collection;

/** Suggests corrections of mistyped names in aggregations. */
final class Spelling {

  private Spelling() {}

  /** {@code " did you mean [x]?"}, or nothing when no word is close. */
  static String hint(String given, Collection<String> words) {
    // Two transposed letters in a name of three count as two edits.
    return Suggestions.hint(
        given, words, distance -> distance <= 0.5 || (distance < 0.7 && given.length() <= 3));
  }
}
