package io.varve.standalone.compose;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the variables in the values of a compose file as Compose does.
 *
 * <pre>
 *   $$                                  a dollar sign
 *   $NAME  ${NAME}                      the variable; it is an error if it is unset
 *   ${NAME:-text}  ${NAME-text}         the text if the variable is unset (or empty, with a colon)
 *   ${NAME:?message}  ${NAME?message}   an error if the variable is unset (or empty)
 * </pre>
 *
 * Compose itself replaces an unset variable by nothing and prints a warning; here it is an error.
 */
final class Interpolation {

  private static final Pattern USE =
      Pattern.compile(
          "\\$(?:(?<escaped>\\$)|(?<plain>[A-Za-z_][A-Za-z0-9_]*)"
              + "|\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?:(?<operator>:?[-?])(?<text>[^}]*))?}|)");

  private final UnaryOperator<@Nullable String> variables;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param variables returns the value of a variable, or null
   */
  Interpolation(UnaryOperator<@Nullable String> variables) {
    this.variables = variables;
  }

  /** The problems found so far. */
  List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Returns a copy of the tree with all variables in its values replaced. */
  @Nullable Object apply(String path, @Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, child) ->
            copy.put(String.valueOf(key), apply(Problem.below(path, String.valueOf(key)), child)));
        yield copy;
      }
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
          copy.add(apply(path + "[" + i + "]", list.get(i)));
        }
        yield copy;
      }
      case String text -> USE.matcher(text).replaceAll(use -> replacement(path, use));
      case null, default -> value;
    };
  }

  private String replacement(String path, MatchResult use) {
    if (use.group("escaped") != null) {
      return Matcher.quoteReplacement("$");
    }
    String name = use.group("plain") == null ? use.group("name") : use.group("plain");
    if (name == null) {
      problems.add(new Problem("variable", path, "a dollar sign without a name; $$ is the sign"));
      return "";
    }
    String value = variables.apply(name);
    String operator = use.group("operator") == null ? "" : use.group("operator");
    boolean unset = value == null || (operator.startsWith(":") && value.isEmpty());
    if (unset && operator.endsWith("-")) {
      value = use.group("text");
    } else if (unset) {
      problems.add(new Problem("variable", path, name + " is not set and has no default"));
      value = "";
    }
    return Matcher.quoteReplacement(value);
  }
}
