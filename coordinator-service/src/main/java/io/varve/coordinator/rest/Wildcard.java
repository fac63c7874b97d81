package io.varve.coordinator.rest;

import java.util.regex.Pattern;

/** Patterns in which {@code *} stands for any characters. */
public final class Wildcard {

  private Wildcard() {}

  public static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  static String regex(String pattern) {
    StringBuilder regex = new StringBuilder();
    int from = 0;
    for (int star = pattern.indexOf('*'); star >= 0; star = pattern.indexOf('*', from)) {
      regex.append(Pattern.quote(pattern.substring(from, star))).append(".*");
      from = star + 1;
    }
    return regex.append(Pattern.quote(pattern.substring(from))).toString();
  }

  public static boolean matches(String pattern, String text) {
    return isPattern(pattern) ? Pattern.matches(regex(pattern), text) : pattern.equals(text);
  }
}
