package io.varve.conformance.run;

import io.varve.conformance.suite.Step;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The assertions of a test; each throws {@link CheckFailure} if it does not hold. */
final class Checks {

  /**
   * Words with single spaces between them, as tests of tables write it. A search that fails tries
   * all ways to split all words, so its time grows with two to the power of their length.
   */
  private static final String WORDS = "(\\S+\\s?)+";

  /** The same texts; there is one way to split each of them. */
  private static final String WORDS_SPLIT_ONCE = "(\\S+(\\s\\S+)*\\s?)";

  private Checks() {}

  /**
   * Checks that the values are equal or, if the expected text is enclosed in slashes, that it
   * matches as a regular expression, in which whitespace and comments are ignored. An integer
   * equals a decimal of the same value, but not within lists and objects.
   */
  static void match(String path, @Nullable Object actual, @Nullable Object expected) {
    if (expected instanceof String text && isPattern(text)) {
      if (actual == null) {
        throw new CheckFailure("[" + path + "] is missing, expected " + brief(text));
      }
      String expression = text.strip().substring(1, text.strip().length() - 1);
      Pattern pattern =
          Pattern.compile(expression.replace(WORDS, WORDS_SPLIT_ONCE), Pattern.COMMENTS);
      if (!pattern.matcher(actual.toString()).find()) {
        throw new CheckFailure(
            "[" + path + "] does not match " + brief(text) + ", was " + brief(actual));
      }
      return;
    }
    if (!equal(actual, expected)) {
      throw new CheckFailure(
          "["
              + path
              + "] expected "
              + brief(expected)
              + ", was "
              + brief(actual)
              + difference(expected, actual));
    }
  }

  private static boolean equal(@Nullable Object actual, @Nullable Object expected) {
    if (actual instanceof Number a
        && expected instanceof Number e
        && a.getClass() != e.getClass()) {
      return a.doubleValue() == e.doubleValue();
    }
    return Objects.equals(actual, expected);
  }

  static boolean isPattern(String text) {
    String bare = text.strip();
    return bare.length() > 2 && bare.startsWith("/") && bare.endsWith("/");
  }

  private static String difference(@Nullable Object expected, @Nullable Object actual) {
    String found = firstDifference("", expected, actual);
    return found == null || !(expected instanceof Map || expected instanceof List)
        ? ""
        : "; first difference at " + found;
  }

  private static @Nullable String firstDifference(
      String at, @Nullable Object expected, @Nullable Object actual) {
    if (Objects.equals(expected, actual)) {
      return null;
    }
    if (expected instanceof Map<?, ?> e && actual instanceof Map<?, ?> a) {
      for (Map.Entry<?, ?> entry : e.entrySet()) {
        String inner =
            firstDifference(at + "." + entry.getKey(), entry.getValue(), a.get(entry.getKey()));
        if (inner != null) {
          return inner;
        }
      }
      return a.keySet().stream()
          .filter(key -> !e.containsKey(key))
          .findFirst()
          .map(key -> at + "." + key + ": not expected")
          .orElse(null);
    }
    if (expected instanceof List<?> e && actual instanceof List<?> a) {
      for (int i = 0; i < Math.min(e.size(), a.size()); i++) {
        String inner = firstDifference(at + "." + i, e.get(i), a.get(i));
        if (inner != null) {
          return inner;
        }
      }
      return at + ": " + e.size() + " elements expected, " + a.size() + " found";
    }
    return at + ": " + brief(expected) + " expected, " + brief(actual) + " found";
  }

  static void length(String path, @Nullable Object actual, Object expected) {
    int length =
        switch (actual) {
          case Map<?, ?> map -> map.size();
          case List<?> list -> list.size();
          case String text -> text.length();
          case null, default ->
              throw new CheckFailure("[" + path + "] has no length: " + brief(actual));
        };
    if (length != Integer.parseInt(expected.toString())) {
      throw new CheckFailure(
          "[" + path + "] expected length " + expected + ", was " + length + ": " + brief(actual));
    }
  }

  static void isTrue(String path, @Nullable Object actual) {
    if (isFalse(actual)) {
      throw new CheckFailure("[" + path + "] expected a true value, was " + brief(actual));
    }
  }

  static void isFalse(String path, @Nullable Object actual) {
    if (!isFalse(actual)) {
      throw new CheckFailure("[" + path + "] expected a false value, was " + brief(actual));
    }
  }

  private static boolean isFalse(@Nullable Object value) {
    if (value == null) {
      return true;
    }
    String text = value.toString();
    return text.isEmpty() || text.equalsIgnoreCase("false") || text.equals("0");
  }

  static void compare(
      Step.Order order, String path, @Nullable Object actual, @Nullable Object expected) {
    int comparison;
    if (actual instanceof Number a && expected instanceof Number e && isWhole(a) && isWhole(e)) {
      comparison = Long.compare(a.longValue(), e.longValue());
    } else if (actual instanceof Double a && expected instanceof Double e) {
      comparison = Double.compare(a, e);
    } else if (actual instanceof String a && expected instanceof String e) {
      comparison = a.compareTo(e);
    } else {
      throw new CheckFailure(
          "[" + path + "] cannot compare " + brief(actual) + " with " + brief(expected));
    }
    if (!order.holds(comparison)) {
      throw new CheckFailure(
          "[" + path + "] expected " + order + " " + expected + ", was " + brief(actual));
    }
  }

  private static boolean isWhole(Number number) {
    return number instanceof Integer || number instanceof Long;
  }

  static void closeTo(String path, @Nullable Object actual, Number value, Number error) {
    if (!(actual instanceof Number number)
        || Math.abs(number.doubleValue() - value.doubleValue()) > error.doubleValue()) {
      throw new CheckFailure(
          "[" + path + "] expected " + value + " ± " + error + ", was " + brief(actual));
    }
  }

  static void contains(String path, @Nullable Object actual, @Nullable Object expected) {
    boolean found =
        switch (actual) {
          case List<?> list -> list.stream().anyMatch(element -> has(element, expected));
          case Map<?, ?> map -> has(map, expected);
          case String text when expected instanceof String part -> text.contains(part);
          case null, default -> false;
        };
    if (!found) {
      throw new CheckFailure(
          "[" + path + "] does not contain " + brief(expected) + ": " + brief(actual));
    }
  }

  private static boolean has(@Nullable Object element, @Nullable Object expected) {
    if (element instanceof Map<?, ?> map && expected instanceof Map<?, ?> wanted) {
      return wanted.entrySet().stream()
          .allMatch(entry -> Objects.equals(map.get(entry.getKey()), entry.getValue()));
    }
    return Objects.equals(element, expected);
  }

  static String brief(@Nullable Object value) {
    String text =
        value instanceof String
            ? "'" + value + "'"
            : value instanceof Number
                ? value + " (" + value.getClass().getSimpleName() + ")"
                : String.valueOf(value);
    return text.length() <= 600 ? text : text.substring(0, 600) + "…";
  }
}
