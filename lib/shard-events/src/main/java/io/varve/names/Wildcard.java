package io.varve.names;

/**
 * Patterns in which {@code *} matches any number of characters and every other character matches
 * itself.
 *
 * <p>Patterns come from users and are also evaluated by the cluster's leader, so matching must be
 * fast for every pattern: it only ever backtracks to the last star, which suffices because the part
 * before it already matches at the earliest position. The number of steps is at most the product of
 * both lengths.
 */
public final class Wildcard {

  private Wildcard() {}

  public static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  public static boolean matches(String pattern, String text) {
    int inPattern = 0;
    int inText = 0;
    int behindStar = -1;
    int starEnds = 0;
    while (inText < text.length()) {
      boolean more = inPattern < pattern.length();
      if (more && pattern.charAt(inPattern) == '*') {
        behindStar = ++inPattern;
        starEnds = inText;
      } else if (more && pattern.charAt(inPattern) == text.charAt(inText)) {
        inPattern++;
        inText++;
      } else if (behindStar >= 0) {
        inPattern = behindStar;
        inText = ++starEnds;
      } else {
        return false;
      }
    }
    while (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
      inPattern++;
    }
    return inPattern == pattern.length();
  }
}
