package io.varve.control.command;

import java.util.List;

/**
 * Decides whether two patterns, in which {@code *} stands for any characters, match a common text.
 */
final class Globs {

  private Globs() {}

  static boolean anyOverlap(List<String> some, List<String> others) {
    return some.stream().anyMatch(a -> others.stream().anyMatch(b -> overlap(a, b)));
  }

  /**
   * Row i, column j: whether the rest of {@code a} from i and the rest of {@code b} from j match a
   * common text.
   */
  static boolean overlap(String a, String b) {
    boolean[][] rests = new boolean[a.length() + 1][b.length() + 1];
    for (int i = a.length(); i >= 0; i--) {
      for (int j = b.length(); j >= 0; j--) {
        rests[i][j] = overlap(a, i, b, j, rests);
      }
    }
    return rests[0][0];
  }

  private static boolean overlap(String a, int i, String b, int j, boolean[][] rests) {
    boolean endOfA = i == a.length();
    boolean endOfB = j == b.length();
    if (endOfA && endOfB) {
      return true;
    }
    if (!endOfA && a.charAt(i) == '*') {
      return rests[i + 1][j] || (!endOfB && rests[i][j + 1]);
    }
    if (!endOfB && b.charAt(j) == '*') {
      return rests[i][j + 1] || (!endOfA && rests[i + 1][j]);
    }
    return !endOfA && !endOfB && a.charAt(i) == b.charAt(j) && rests[i + 1][j + 1];
  }
}
