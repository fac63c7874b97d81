package io.varve.names;

/**
 * Patterns in which {@code *} stands for any characters, none included, and all else for itself.
 *
 * <p>Users write these patterns, and the cluster's leader matches them too. So there is no pattern
 * that takes long: only the last star met is ever tried again, since what stands before it fits
 * already at the earliest place. The steps are at most the product of both lengths.
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
