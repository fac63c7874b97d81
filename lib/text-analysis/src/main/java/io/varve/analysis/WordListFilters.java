package io.varve.analysis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.compound.DictionaryCompoundWordTokenFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;
import org.apache.lucene.analysis.util.ElisionFilter;

/**
 * Creates filters configured by word lists: stop words, kept words, words excluded from stemming,
 * common grams, elisions and compound words. The words are part of the index settings; files are
 * refused.
 */
final class WordListFilters {

  private WordListFilters() {}

  static TokenFilterPart stop(ComponentOptions options) {
    CharArraySet words = Words.stopWords(options, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET);
    if (!options.flag("remove_trailing", true)) {
      throw AnalysisException.illegal(
          "[remove_trailing] false of a stop filter is for suggestions, which are not supported");
    }
    return TokenFilterPart.of(tokens -> new StopFilter(tokens, words));
  }

  static TokenFilterPart elision(ComponentOptions options) {
    boolean ignoreCase = options.flag("articles_case", false);
    CharArraySet given = Words.list(options, "articles", ignoreCase);
    CharArraySet articles = given == null ? FrenchAnalyzer.DEFAULT_ARTICLES : given;
    return TokenFilterPart.normalizing(tokens -> new ElisionFilter(tokens, articles));
  }

  static TokenFilterPart keywordMarker(ComponentOptions options) {
    String pattern = options.text("keywords_pattern");
    CharArraySet words = Words.list(options, "keywords", options.flag("ignore_case", false));
    if (pattern != null) {
      if (words != null) {
        throw AnalysisException.illegal(
            "cannot specify both `keywords_pattern` and `keywords` or `keywords_path`");
      }
      Pattern kept = Patterns.of(options, "keywords_pattern", "");
      return TokenFilterPart.of(tokens -> new PatternKeywordMarkerFilter(tokens, kept));
    }
    if (words == null) {
      throw AnalysisException.illegal(
          "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be"
              + " configured");
    }
    return TokenFilterPart.of(tokens -> new SetKeywordMarkerFilter(tokens, words));
  }

  static TokenFilterPart stemmerOverride(ComponentOptions options) {
    options.refuseFiles("rules_path");
    List<String> rules = options.list("rules");
    if (rules == null) {
      throw AnalysisException.illegal(
          "stemmer override filter requires either `rules` or `rules_path` to be configured");
    }
    StemmerOverrideFilter.Builder builder = new StemmerOverrideFilter.Builder(false);
    for (String rule : rules) {
      String[] sides = rule.split("=>", -1);
      if (sides.length != 2 || sides[1].indexOf(',') >= 0 || sides[1].isBlank()) {
        throw AnalysisException.illegal("Invalid Keyword override Rule:" + rule);
      }
      for (String word : sides[0].split(",", -1)) {
        builder.add(word.strip(), sides[1].strip());
      }
    }
    try {
      StemmerOverrideFilter.StemmerOverrideMap map = builder.build();
      return TokenFilterPart.of(tokens -> new StemmerOverrideFilter(tokens, map));
    } catch (IOException e) {
      throw new UncheckedIOException("building rules in memory", e);
    }
  }

  static TokenFilterPart commonGrams(ComponentOptions options) {
    CharArraySet words = Words.list(options, "common_words", options.flag("ignore_case", false));
    if (words == null) {
      throw AnalysisException.illegal(
          "missing or empty [common_words] or [common_words_path] configuration for common_grams"
              + " token filter");
    }
    boolean query = options.flag("query_mode", false);
    return TokenFilterPart.of(tokens -> {
      CommonGramsFilter grams = new CommonGramsFilter(tokens, words);
      return query ? new CommonGramsQueryFilter(grams) : grams;
    });
  }

  static TokenFilterPart keep(ComponentOptions options) {
    CharArraySet words = Words.list(options, "keep_words", options.flag("keep_words_case", false));
    if (words == null) {
      throw AnalysisException.illegal(
          "keep requires either `keep_words` or `keep_words_path` to be configured");
    }
    return TokenFilterPart.of(tokens -> new KeepWordFilter(tokens, words));
  }

  static TokenFilterPart decompounder(ComponentOptions options) {
    CharArraySet words = Words.list(options, "word_list", false);
    if (words == null) {
      throw AnalysisException.illegal(
          "word_list must be provided for ["
              + options.name()
              + "], either as a path to a file, or"
              + " directly");
    }
    int word = options.whole("min_word_size", 5);
    int least = options.whole("min_subword_size", 2);
    int most = options.whole("max_subword_size", 15);
    boolean longest = options.flag("only_longest_match", false);
    return TokenFilterPart.of(
        tokens -> new DictionaryCompoundWordTokenFilter(tokens, words, word, least, most, longest));
  }
}
