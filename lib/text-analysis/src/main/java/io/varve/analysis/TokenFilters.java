package io.varve.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.DelimitedTermFrequencyTokenFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.payloads.DelimitedPayloadTokenFilter;
import org.apache.lucene.analysis.payloads.FloatEncoder;
import org.apache.lucene.analysis.payloads.IdentityEncoder;
import org.apache.lucene.analysis.payloads.IntegerEncoder;
import org.apache.lucene.analysis.payloads.PayloadEncoder;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.jspecify.annotations.Nullable;

/**
 * Creates token filters by type. {@link SimpleFilters} creates those without options, {@link
 * WordListFilters} those configured by word lists, and {@link GramFilters} those that build tokens
 * from parts or neighbours. This class creates all others: filters for letters, patterns, payloads
 * and types, and filters composed of other filters.
 *
 * <p>Options are read and checked once, when the chain is built.
 */
final class TokenFilters {

  private final Limits limits;
  private final Function<String, TokenFilterPart> byName;

  /**
   * @param byName finds the filters that another filter refers to
   */
  TokenFilters(Limits limits, Function<String, TokenFilterPart> byName) {
    this.limits = limits;
    this.byName = byName;
  }

  /** Returns null if the type is unknown. */
  @Nullable TokenFilterPart of(String type, ComponentOptions options) {
    TokenFilterPart simple = SimpleFilters.of(type);
    return simple == null ? withOptions(type, options) : simple;
  }

  private @Nullable TokenFilterPart withOptions(String type, ComponentOptions options) {
    return switch (type) {
      case "lowercase" -> lowercase(options);
      case "uppercase" -> TokenFilterPart.normalizing(UpperCaseFilter::new);
      case "trim" -> TokenFilterPart.normalizing(TrimFilter::new);
      case "asciifolding" -> {
        boolean keep = options.flag("preserve_original", false);
        yield TokenFilterPart.normalizing(tokens -> new ASCIIFoldingFilter(tokens, keep));
      }
      case "elision" -> WordListFilters.elision(options);
      case "stop" -> WordListFilters.stop(options);
      case "stemmer" ->
          TokenFilterPart.of(Stemmers.of(options.text("language", options.text("name", "porter"))));
      case "snowball" ->
          TokenFilterPart.of(Stemmers.snowball(capitalized(options.text("language", "English"))));
      case "porter_stem", "porterStem" -> TokenFilterPart.of(PorterStemFilter::new);
      case "kstem" -> TokenFilterPart.of(KStemFilter::new);
      case "synonym" -> Synonyms.of(options, false);
      case "synonym_graph" -> Synonyms.of(options, true);
      case "ngram", "nGram" -> GramFilters.ngram(options, limits);
      case "edge_ngram", "edgeNGram" -> GramFilters.edgeNgram(options);
      case "shingle" -> GramFilters.shingle(options, limits);
      case "word_delimiter" -> WordDelimiters.of(options, false);
      case "word_delimiter_graph" -> WordDelimiters.of(options, true);
      case "length" -> {
        int min = options.whole("min", 0);
        int max = options.whole("max", Integer.MAX_VALUE);
        yield checked(
            tokens -> new LengthFilter(tokens, min, max),
            min <= max,
            "minimum length" + " must not be greater than maximum length");
      }
      case "truncate" -> {
        int length = options.whole("length", 10);
        yield checked(
            tokens -> TruncateTokenFilter.truncateAfterChars(tokens, length),
            length > 0,
            "length parameter must be provided");
      }
      case "unique" -> {
        boolean same = options.flag("only_on_same_position", false);
        yield TokenFilterPart.of(tokens -> new UniqueTokens(tokens, same));
      }
      case "reverse" -> TokenFilterPart.of(ReverseStringFilter::new);
      case "limit" -> {
        int most = options.positive("max_token_count", 1);
        boolean all = options.flag("consume_all_tokens", false);
        yield TokenFilterPart.of(tokens -> new LimitTokenCountFilter(tokens, most, all));
      }
      case "apostrophe" -> TokenFilterPart.of(ApostropheFilter::new);
      case "keyword_repeat" -> TokenFilterPart.of(KeywordRepeatFilter::new);
      case "remove_duplicates" -> TokenFilterPart.of(RemoveDuplicatesTokenFilter::new);
      case "flatten_graph" -> TokenFilterPart.of(FlattenGraphFilter::new);
      case "concatenate_graph" -> GramFilters.concatenated(options);
      case "fingerprint" -> GramFilters.fingerprint(options);
      case "multiplexer" -> multiplexer(options);
      default -> ofWords(type, options);
    };
  }

  private static @Nullable TokenFilterPart ofWords(String type, ComponentOptions options) {
    return switch (type) {
      case "keyword_marker" -> WordListFilters.keywordMarker(options);
      case "stemmer_override" -> WordListFilters.stemmerOverride(options);
      case "common_grams" -> WordListFilters.commonGrams(options);
      case "keep" -> WordListFilters.keep(options);
      case "keep_types" -> keepTypes(options);
      case "cjk_bigram" -> GramFilters.cjkBigram(options);
      case "delimited_payload", "delimited_payload_filter" -> payload(options);
      case "delimited_term_freq" -> {
        char delimiter = options.text("delimiter", "|").charAt(0);
        yield TokenFilterPart.of(
            tokens -> new DelimitedTermFrequencyTokenFilter(tokens, delimiter));
      }
      case "dictionary_decompounder" -> WordListFilters.decompounder(options);
      case "min_hash" -> GramFilters.minHash(options);
      case "pattern_capture" -> patternCapture(options);
      case "pattern_replace" -> patternReplace(options);
      case "hunspell",
          "phonetic",
          "condition",
          "predicate_token_filter",
          "hyphenation_decompounder" ->
          throw AnalysisException.illegal(
              "token filter type [" + type + "] is not supported: it needs a file or a script");
      default -> null;
    };
  }

  /** Checks a condition that Lucene would check only when the first text is analyzed. */
  static TokenFilterPart checked(UnaryOperator<TokenStream> over, boolean right, String otherwise) {
    if (!right) {
      throw AnalysisException.illegal(otherwise);
    }
    return TokenFilterPart.of(over);
  }

  private static String capitalized(String name) {
    return name.isEmpty()
        ? name
        : name.substring(0, 1).toUpperCase(Locale.ROOT)
            + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static TokenFilterPart lowercase(ComponentOptions options) {
    String language = options.text("language", "");
    return TokenFilterPart.normalizing(
        switch (language.toLowerCase(Locale.ROOT)) {
          case "" -> LowerCaseFilter::new;
          case "greek" -> GreekLowerCaseFilter::new;
          case "irish" -> IrishLowerCaseFilter::new;
          case "turkish" -> TurkishLowerCaseFilter::new;
          default ->
              throw AnalysisException.illegal(
                  "language [" + language + "] not support for lower case");
        });
  }

  private TokenFilterPart multiplexer(ComponentOptions options) {
    List<List<TokenFilterPart>> chains = new ArrayList<>();
    Object given = options.values().get("filters");
    List<String> lines =
        given instanceof List<?> list
            ? list.stream().map(String::valueOf).toList()
            : options.list("filters", List.of());
    for (String line : lines) {
      chains.add(Arrays.stream(line.split(",", -1)).map(String::strip).map(byName).toList());
    }
    return new Multiplexer(chains, options.flag("preserve_original", true));
  }

  private static TokenFilterPart keepTypes(ComponentOptions options) {
    List<String> types = options.list("types");
    if (types == null || types.isEmpty()) {
      throw AnalysisException.illegal("keep_types requires `types` to be configured");
    }
    boolean include =
        switch (options.text("mode", "include")) {
          case "include" -> true;
          case "exclude" -> false;
          default ->
              throw AnalysisException.illegal(
                  "`keep_types` tokenfilter mode can only be [include] or [exclude] but was ["
                      + options.text("mode")
                      + "].");
        };
    Set<String> kept = new HashSet<>(types);
    return TokenFilterPart.of(tokens -> new TypeTokenFilter(tokens, kept, include));
  }

  private static TokenFilterPart payload(ComponentOptions options) {
    String delimiter = options.text("delimiter", "|");
    PayloadEncoder encoder =
        switch (options.text("encoding", "float")) {
          case "identity" -> new IdentityEncoder();
          case "int" -> new IntegerEncoder();
          default -> new FloatEncoder();
        };
    return checked(
        tokens -> new DelimitedPayloadTokenFilter(tokens, delimiter.charAt(0), encoder),
        delimiter.length() == 1,
        "delimiter must be a single character");
  }

  private static TokenFilterPart patternCapture(ComponentOptions options) {
    List<String> given = options.list("patterns");
    if (given == null) {
      throw AnalysisException.illegal(
          "required setting 'patterns' is missing for token filter [" + options.name() + "]");
    }
    boolean keep = options.flag("preserve_original", true);
    Pattern[] patterns =
        given.stream().map(text -> Patterns.of(options, "\u0000", text)).toArray(Pattern[]::new);
    return TokenFilterPart.of(tokens -> new PatternCaptureGroupTokenFilter(tokens, keep, patterns));
  }

  private static TokenFilterPart patternReplace(ComponentOptions options) {
    if (!options.has("pattern")) {
      throw AnalysisException.illegal(
          "pattern is missing for [" + options.name() + "] token filter of type 'pattern_replace'");
    }
    Pattern pattern = Patterns.of(options, "pattern", "");
    String replacement = options.text("replacement", "");
    boolean all = options.flag("all", true);
    return TokenFilterPart.normalizing(
        tokens -> new PatternReplaceFilter(tokens, pattern, replacement, all));
  }
}
