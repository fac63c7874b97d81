package io.varve.engine.search;

/**
 * Limits the nesting of parentheses in query text. Lucene's parsers are recursive, so deeper text
 * would cause a stack overflow. Quoted and escaped parentheses do not count.
 */
final class ParenthesisDepth {

  static final String SETTING = "index.query.max_query_string_depth";
  static final int DEFAULT_MAX_DEPTH = 100;

  private ParenthesisDepth() {}

  static int of(String text) {
    int deepest = 0;
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '"' -> quoted = !quoted;
        case '(' -> depth += quoted ? 0 : 1;
        case ')' -> depth -= quoted || depth == 0 ? 0 : 1;
        default -> {}
      }
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  /** Rejects text nested deeper than the index allows. */
  static void check(String query, String text, IndexView index) {
    int most = index.number(SETTING, DEFAULT_MAX_DEPTH);
    int depth = of(text);
    if (depth > most) {
      throw SearchErrors.illegal(
          "["
              + query
              + "] has parentheses to a depth of ["
              + depth
              + "], which exceeds the limit of ["
              + most
              + "]. This limit can be set by changing the ["
              + SETTING
              + "] index level setting.");
    }
  }
}
