package io.varve.analysis;

import java.io.Reader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.jspecify.annotations.Nullable;

/** Creates character filters by type. */
final class CharFilters {

  /**
   * A character filter.
   *
   * @param normalizing whether a normalizer may use it: it maps characters without moving word
   *     boundaries
   */
  record CharFilter(UnaryOperator<Reader> over, boolean normalizing) {}

  private CharFilters() {}

  /** Returns null if the type is unknown. */
  static @Nullable CharFilter of(String type, ComponentOptions options) {
    return switch (type) {
      case "html_strip", "htmlStrip" -> {
        Set<String> escaped = new HashSet<>(options.list("escaped_tags", List.of()));
        yield new CharFilter(reader -> new HTMLStripCharFilter(reader, escaped), false);
      }
      case "mapping" -> {
        NormalizeCharMap map = map(options);
        yield new CharFilter(reader -> new MappingCharFilter(map, reader), true);
      }
      case "pattern_replace" -> {
        if (!options.has("pattern")) {
          throw AnalysisException.illegal(
              "pattern is missing for ["
                  + options.name()
                  + "] char filter of type"
                  + " 'pattern_replace'");
        }
        Pattern pattern = Patterns.of(options, "pattern", "");
        String replacement = options.text("replacement", "");
        yield new CharFilter(
            reader -> new PatternReplaceCharFilter(pattern, replacement, reader), true);
      }
      default -> null;
    };
  }

  private static NormalizeCharMap map(ComponentOptions options) {
    options.refuseFiles("mappings_path");
    List<String> rules = options.list("mappings");
    if (rules == null) {
      throw AnalysisException.illegal(
          "mapping requires either `mappings` or `mappings_path` to be configured");
    }
    NormalizeCharMap.Builder builder = new NormalizeCharMap.Builder();
    Set<String> seen = new HashSet<>();
    for (String rule : rules) {
      int arrow = rule.indexOf("=>");
      if (arrow < 0) {
        throw AnalysisException.illegal("Invalid Mapping Rule : [" + rule + "]");
      }
      String from = unescaped(rule.substring(0, arrow).strip());
      String to = unescaped(rule.substring(arrow + 2).strip());
      if (from.isEmpty()) {
        throw AnalysisException.illegal(
            "Invalid Mapping Rule : [" + rule + "]. Illegal escaped mapping.");
      }
      if (!seen.add(from)) {
        throw AnalysisException.illegal("match \"" + from + "\" was already added");
      }
      builder.add(from, to);
    }
    return builder.build();
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      if (at >= text.length()) {
        throw AnalysisException.illegal("Invalid escaped char in [" + text + "]");
      }
      char escaped = text.charAt(at++);
      if (escaped == 'u') {
        plain.append(codeUnit(text, at));
        at += 4;
      } else {
        plain.append(control(escaped));
      }
    }
    return plain.toString();
  }

  private static char codeUnit(String text, int at) {
    try {
      return (char) Integer.parseInt(text, at, at + 4, 16);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw AnalysisException.illegal("Invalid escaped char in [" + text + "]", e);
    }
  }

  private static char control(char escaped) {
    return switch (escaped) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> escaped;
    };
  }
}
