package io.varve.analysis;

import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_ALL;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_NUMBERS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_WORDS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.GENERATE_WORD_PARTS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.IGNORE_KEYWORDS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.PRESERVE_ORIGINAL;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.SPLIT_ON_NUMERICS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE;

import java.util.List;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;

/**
 * Creates filters that split tokens at transitions between letters and digits and at changes of
 * case.
 */
final class WordDelimiters {

  // Lucene's character class bits.
  private static final int LOWER = 1;
  private static final int UPPER = 2;
  private static final int DIGIT = 4;
  private static final int SUBWORD_DELIM = 8;
  private static final int ALPHA = LOWER | UPPER;
  private static final int ALPHANUM = ALPHA | DIGIT;

  private WordDelimiters() {}

  static TokenFilterPart of(ComponentOptions options, boolean graph) {
    int flags =
        flags(options) | (graph && options.flag("ignore_keywords", false) ? IGNORE_KEYWORDS : 0);
    byte[] types = types(options);
    CharArraySet kept = Words.list(options, "protected_words", false);
    boolean offsets = options.flag("adjust_offsets", true);
    return TokenFilterPart.of(tokens ->
        graph
            ? new WordDelimiterGraphFilter(tokens, offsets, types, flags, kept)
            : flat(tokens, types, flags, kept));
  }

  @SuppressWarnings("deprecation") // deprecated in Lucene, but part of OpenSearch's API
  private static WordDelimiterFilter flat(
      TokenStream tokens,
      byte[] types,
      int flags,
      @org.jspecify.annotations.Nullable CharArraySet kept) {
    return new WordDelimiterFilter(tokens, types, flags, kept);
  }

  private static int flags(ComponentOptions options) {
    return flag(options, "generate_word_parts", GENERATE_WORD_PARTS, true)
        | flag(options, "generate_number_parts", GENERATE_NUMBER_PARTS, true)
        | flag(options, "catenate_words", CATENATE_WORDS, false)
        | flag(options, "catenate_numbers", CATENATE_NUMBERS, false)
        | flag(options, "catenate_all", CATENATE_ALL, false)
        | flag(options, "split_on_case_change", SPLIT_ON_CASE_CHANGE, true)
        | flag(options, "split_on_numerics", SPLIT_ON_NUMERICS, true)
        | flag(options, "preserve_original", PRESERVE_ORIGINAL, false)
        | flag(options, "stem_english_possessive", STEM_ENGLISH_POSSESSIVE, true);
  }

  private static int flag(ComponentOptions options, String key, int bit, boolean otherwise) {
    return options.flag(key, otherwise) ? bit : 0;
  }

  private static byte[] types(ComponentOptions options) {
    options.refuseFiles("type_table_path");
    List<String> rules = options.list("type_table");
    if (rules == null) {
      return WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE;
    }
    byte[] table = new byte[Character.MAX_VALUE + 1];
    for (int c = 0; c < table.length; c++) {
      table[c] = WordDelimiterIterator.getType(c);
    }
    for (String rule : rules) {
      int arrow = rule.indexOf("=>");
      String from = arrow < 0 ? "" : rule.substring(0, arrow).strip();
      if (from.startsWith("\\u")) {
        from = String.valueOf((char) Integer.parseInt(from.substring(2), 16));
      }
      if (from.length() != 1) {
        throw AnalysisException.illegal(
            "Invalid Mapping Rule : [" + rule + "]. Only a single character is allowed.");
      }
      table[from.charAt(0)] = type(rule.substring(arrow + 2).strip(), rule);
    }
    return table;
  }

  private static byte type(String name, String rule) {
    return (byte)
        switch (name) {
          case "LOWER" -> LOWER;
          case "UPPER" -> UPPER;
          case "ALPHA" -> ALPHA;
          case "DIGIT" -> DIGIT;
          case "ALPHANUM" -> ALPHANUM;
          case "SUBWORD_DELIM" -> SUBWORD_DELIM;
          default ->
              throw AnalysisException.illegal(
                  "Invalid Mapping Rule : [" + rule + "]. Illegal type.");
        };
  }
}
