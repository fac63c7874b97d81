package io.varve.search.json;

import io.varve.text.Likeness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * Suggests corrections of a mistyped name: the known names whose edit distance, relative to the
 * longer of both names, is small.
 */
public final class Suggestions {

  private record Candidate(String name, double distance) {}

  private Suggestions() {}

  /** Suggests names of which less than half of the characters differ. */
  public static String hint(String given, Collection<String> known) {
    return hint(given, known, distance -> distance < 0.5);
  }

  /**
   * Suggests the closest names first; names at the same distance are in the order of {@code known}.
   *
   * @param isClose whether a name at this relative distance, from 0 to 1, is suggested
   * @return {@code ""}, {@code " did you mean [x]?"} or {@code " did you mean any of [x, y]?"}
   */
  public static String hint(String given, Collection<String> known, DoublePredicate isClose) {
    List<Candidate> close = new ArrayList<>();
    for (String name : known) {
      double distance =
          (double) Likeness.edits(given, name) / Math.max(given.length(), name.length());
      if (isClose.test(distance)) {
        close.add(new Candidate(name, distance));
      }
    }
    close.sort(Comparator.comparingDouble(Candidate::distance));
    List<String> names = close.stream().map(Candidate::name).toList();
    return switch (names.size()) {
      case 0 -> "";
      case 1 -> " did you mean [" + names.getFirst() + "]?";
      default -> " did you mean any of " + names + "?";
    };
  }
}
