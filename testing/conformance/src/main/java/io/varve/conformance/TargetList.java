package io.varve.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Selects tests by lines {@code + pattern} and {@code - pattern}; for each test the last line that
 * matches it decides. A pattern names a folder, a file or a test; {@code *} matches any text.
 */
final class TargetList {

  private record Line(boolean includes, Pattern pattern) {}

  private final List<Line> lines = new ArrayList<>();

  TargetList(List<String> texts) {
    for (String text : texts) {
      String line = text.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (!line.startsWith("+ ") && !line.startsWith("- ")) {
        throw new IllegalArgumentException("[" + line + "] begins with neither + nor -");
      }
      lines.add(new Line(line.startsWith("+"), pattern(line.substring(2).strip())));
    }
  }

  /** Whether this test is selected. */
  boolean includes(String id) {
    boolean included = false;
    for (Line line : lines) {
      if (line.pattern().matcher(id).matches()) {
        included = line.includes();
      }
    }
    return included;
  }

  /** Returns a pattern that matches what a glob names, and everything below it. */
  static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (String literal : glob.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex + "(/.*)?");
  }
}
