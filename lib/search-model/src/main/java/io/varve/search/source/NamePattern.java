package io.varve.search.source;

import io.varve.names.Wildcard;

/** A name pattern in which {@code *} matches any characters, including dots. */
public final class NamePattern {

  private final String pattern;

  public NamePattern(String pattern) {
    this.pattern = pattern;
  }

  public boolean matches(String name) {
    return Wildcard.matches(pattern, name);
  }

  /** Whether some name that begins with {@code prefix} may match. */
  boolean mayMatchBelow(String prefix) {
    for (boolean alive : run(prefix)) {
      if (alive) {
        return true;
      }
    }
    return false;
  }

  /** The positions of the pattern that can be reached by reading the whole text. */
  private boolean[] run(String text) {
    boolean[] at = new boolean[pattern.length() + 1];
    at[0] = true;
    passStars(at);
    for (int i = 0; i < text.length(); i++) {
      boolean[] next = new boolean[at.length];
      char c = text.charAt(i);
      for (int p = 0; p < pattern.length(); p++) {
        if (at[p] && pattern.charAt(p) == '*') {
          next[p] = true;
        } else if (at[p] && pattern.charAt(p) == c) {
          next[p + 1] = true;
        }
      }
      passStars(next);
      at = next;
    }
    return at;
  }

  private void passStars(boolean[] at) {
    for (int p = 0; p < pattern.length(); p++) {
      if (at[p] && pattern.charAt(p) == '*') {
        at[p + 1] = true;
      }
    }
  }
}
