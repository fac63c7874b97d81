package io.varve.analysis;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/** Parses regular expressions in settings, with flags such as {@code CASE_INSENSITIVE|COMMENTS}. */
final class Patterns {

  private Patterns() {}

  static Pattern of(ComponentOptions options, String key, String otherwise) {
    String text = options.text(key, otherwise);
    try {
      return Pattern.compile(text, flags(options.text("flags", "")));
    } catch (PatternSyntaxException e) {
      throw AnalysisException.illegal(
          "[" + key + "] of [" + options.name() + "] is not a valid pattern: " + e.getDescription(),
          e);
    }
  }

  /**
   * A regular expression of Lucene whose automaton, before it is determinized, stays within
   * Lucene's limit of states.
   */
  static String ofTerms(ComponentOptions options) {
    String text = options.text("pattern", "");
    try {
      if (PatternSize.states(new RegExp(text)) > Operations.DEFAULT_DETERMINIZE_WORK_LIMIT) {
        throw AnalysisException.illegal(
            "[pattern] of ["
                + options.name()
                + "] is too complex: it expands to more than ["
                + Operations.DEFAULT_DETERMINIZE_WORK_LIMIT
                + "] states");
      }
    } catch (IllegalArgumentException e) {
      throw AnalysisException.illegal(
          "[pattern] of [" + options.name() + "] is not a valid pattern: " + e.getMessage(), e);
    }
    return text;
  }

  static int flags(String text) {
    int flags = 0;
    for (String name : text.split("\\|", -1)) {
      flags |=
          switch (name.strip().toUpperCase(Locale.ROOT)) {
            case "" -> 0;
            case "CASE_INSENSITIVE" -> Pattern.CASE_INSENSITIVE;
            case "MULTILINE" -> Pattern.MULTILINE;
            case "DOTALL" -> Pattern.DOTALL;
            case "UNICODE_CASE" -> Pattern.UNICODE_CASE;
            case "CANON_EQ" -> Pattern.CANON_EQ;
            case "UNIX_LINES" -> Pattern.UNIX_LINES;
            case "LITERAL" -> Pattern.LITERAL;
            case "COMMENTS" -> Pattern.COMMENTS;
            case "UNICODE_CHAR_CLASS", "UNICODE_CHARACTER_CLASS" -> Pattern.UNICODE_CHARACTER_CLASS;
            default -> throw AnalysisException.illegal("Unknown regex flag [" + name + "]");
          };
    }
    return flags;
  }
}
