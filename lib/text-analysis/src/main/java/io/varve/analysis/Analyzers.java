package io.varve.analysis;

import io.varve.analysis.Chain.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.classic.ClassicAnalyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.jspecify.annotations.Nullable;

/** Creates analyzers by type, except custom ones. */
final class Analyzers {

  private Analyzers() {}

  /** Returns null if the type is unknown. */
  static @Nullable Analyzer of(String type, ComponentOptions options) {
    return switch (type) {
      case "standard", "default" -> {
        StandardAnalyzer analyzer =
            new StandardAnalyzer(Words.stopWords(options, CharArraySet.EMPTY_SET));
        analyzer.setMaxTokenLength(options.positive("max_token_length", 255));
        yield analyzer;
      }
      case "simple" -> new SimpleAnalyzer();
      case "whitespace" -> new WhitespaceAnalyzer();
      case "keyword" -> new KeywordAnalyzer();
      case "classic" ->
          new ClassicAnalyzer(Words.stopWords(options, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET));
      case "stop" ->
          new StopAnalyzer(Words.stopWords(options, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET));
      case "pattern" -> pattern(options);
      case "fingerprint" -> fingerprint(options);
      case "snowball" -> snowball(options);
      default -> LanguageAnalyzers.of(type, options);
    };
  }

  private static Analyzer pattern(ComponentOptions options) {
    Pattern pattern = Patterns.of(options, "pattern", "\\W+");
    boolean lowercase = options.flag("lowercase", true);
    CharArraySet stop = Words.stopWords(options, CharArraySet.EMPTY_SET);
    List<Named<TokenFilterPart>> filters = new ArrayList<>();
    if (lowercase) {
      filters.add(new Named<>("lowercase", TokenFilterPart.normalizing(LowerCaseFilter::new)));
    }
    if (!stop.isEmpty()) {
      filters.add(stop(stop));
    }
    return new Chain(
        List.of(), new Named<>("pattern", () -> new PatternTokenizer(pattern, -1)), filters, 0);
  }

  private static Named<TokenFilterPart> stop(CharArraySet words) {
    return new Named<>("stop", TokenFilterPart.of(tokens -> new StopFilter(tokens, words)));
  }

  private static Analyzer fingerprint(ComponentOptions options) {
    int most = options.whole("max_output_size", FingerprintFilter.DEFAULT_MAX_OUTPUT_TOKEN_SIZE);
    char separator = GramFilters.separator(options);
    CharArraySet stop = Words.stopWords(options, CharArraySet.EMPTY_SET);
    List<Named<TokenFilterPart>> filters = new ArrayList<>();
    filters.add(new Named<>("lowercase", TokenFilterPart.normalizing(LowerCaseFilter::new)));
    filters.add(
        new Named<>(
            "asciifolding",
            TokenFilterPart.normalizing(tokens -> new ASCIIFoldingFilter(tokens, false))));
    filters.add(stop(stop));
    filters.add(
        new Named<>(
            "fingerprint",
            TokenFilterPart.of(tokens -> new FingerprintFilter(tokens, most, separator))));
    return new Chain(List.of(), new Named<>("standard", StandardTokenizer::new), filters, 0);
  }

  private static Analyzer snowball(ComponentOptions options) {
    String language = options.text("language", options.text("name", "English"));
    CharArraySet none =
        language.equals("English") ? EnglishAnalyzer.getDefaultStopSet() : CharArraySet.EMPTY_SET;
    CharArraySet stop = Words.stopWords(options, none);
    List<Named<TokenFilterPart>> filters = new ArrayList<>();
    filters.add(new Named<>("lowercase", TokenFilterPart.normalizing(LowerCaseFilter::new)));
    filters.add(stop(stop));
    filters.add(new Named<>("snowball", TokenFilterPart.of(Stemmers.snowball(language))));
    return new Chain(List.of(), new Named<>("standard", StandardTokenizer::new), filters, 0);
  }
}
