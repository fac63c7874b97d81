package io.varve.search.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Suggestions for a mistyped name: the known names that are similar to it. */
public final class Similar {

  /** The largest distance, relative to the longer name, of names that are suggested. */
  private static final double NEAR = 0.5;

  private record Near(String name, double closeness) {}

  private Similar() {}

  /** {@code ""}, {@code did you mean [x]?} or {@code did you mean any of [x, y]?}. */
  public static String hint(String given, Collection<String> known) {
    List<Near> near = new ArrayList<>();
    for (String name : known) {
      double closeness =
          1 - (double) distance(given, name) / Math.max(given.length(), name.length());
      if (closeness > NEAR) {
        near.add(new Near(name, closeness));
      }
    }
    near.sort(Comparator.comparingDouble(Near::closeness).reversed().thenComparing(Near::name));
    List<String> names = near.stream().map(Near::name).toList();
    return switch (names.size()) {
      case 0 -> "";
      case 1 -> " did you mean [" + names.getFirst() + "]?";
      default -> " did you mean any of " + names + "?";
    };
  }

  /** Levenshtein distance. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
