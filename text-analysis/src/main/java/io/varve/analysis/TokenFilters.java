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
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.compound.DictionaryCompoundWordTokenFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.minhash.MinHashFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ConcatenateGraphFilter;
import org.apache.lucene.analysis.miscellaneous.DelimitedTermFrequencyTokenFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.payloads.DelimitedPayloadTokenFilter;
import org.apache.lucene.analysis.payloads.FloatEncoder;
import org.apache.lucene.analysis.payloads.IdentityEncoder;
import org.apache.lucene.analysis.payloads.IntegerEncoder;
import org.apache.lucene.analysis.payloads.PayloadEncoder;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.jspecify.annotations.Nullable;

/** Token filters by their type. */
final class TokenFilters {

  private final Limits limits;
  private final Function<String, TokenFilterPart> byName;

  /** {@code byName} finds the filters that another one is made of. */
  TokenFilters(Limits limits, Function<String, TokenFilterPart> byName) {
    this.limits = limits;
    this.byName = byName;
  }

  /** {@code null} when there is no such type. */
  @Nullable TokenFilterPart of(String type, Options options) {
    TokenFilterPart simple = SimpleFilters.of(type);
    return simple == null ? withOptions(type, options) : simple;
  }

  private @Nullable TokenFilterPart withOptions(String type, Options options) {
    return switch (type) {
      case "lowercase" -> lowercase(options);
      case "uppercase" -> TokenFilterPart.normalizing(UpperCaseFilter::new);
      case "trim" -> TokenFilterPart.normalizing(TrimFilter::new);
      case "asciifolding" -> {
        boolean keep = options.flag("preserve_original", false);
        yield TokenFilterPart.normalizing(tokens -> new ASCIIFoldingFilter(tokens, keep));
      }
      case "elision" -> elision(options);
      case "stop" -> stop(options);
      case "stemmer" ->
          TokenFilterPart.of(Stemmers.of(options.text("language", options.text("name", "porter"))));
      case "snowball" ->
          TokenFilterPart.of(Stemmers.snowball(capitalized(options.text("language", "English"))));
      case "porter_stem", "porterStem" -> TokenFilterPart.of(PorterStemFilter::new);
      case "kstem" -> TokenFilterPart.of(KStemFilter::new);
      case "synonym" -> Synonyms.of(options, false);
      case "synonym_graph" -> Synonyms.of(options, true);
      case "ngram", "nGram" -> ngram(options);
      case "edge_ngram", "edgeNGram" -> edgeNgram(options);
      case "shingle" -> shingle(options);
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
      case "concatenate_graph" -> concatenated(options);
      case "fingerprint" -> fingerprint(options);
      case "multiplexer" -> multiplexer(options);
      default -> ofWords(type, options);
    };
  }

  private static @Nullable TokenFilterPart ofWords(String type, Options options) {
    return switch (type) {
      case "keyword_marker" -> keywordMarker(options);
      case "stemmer_override" -> stemmerOverride(options);
      case "common_grams" -> commonGrams(options);
      case "keep" -> keep(options);
      case "keep_types" -> keepTypes(options);
      case "cjk_bigram" -> cjkBigram(options);
      case "delimited_payload", "delimited_payload_filter" -> payload(options);
      case "delimited_term_freq" -> {
        char delimiter = options.text("delimiter", "|").charAt(0);
        yield TokenFilterPart.of(
            tokens -> new DelimitedTermFrequencyTokenFilter(tokens, delimiter));
      }
      case "dictionary_decompounder" -> decompounder(options);
      case "min_hash" -> minHash(options);
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

  private static TokenFilterPart checked(
      UnaryOperator<TokenStream> over, boolean right, String otherwise) {
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

  private static TokenFilterPart lowercase(Options options) {
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

  private static TokenFilterPart elision(Options options) {
    boolean ignoreCase = options.flag("articles_case", false);
    CharArraySet given = Words.list(options, "articles", ignoreCase);
    CharArraySet articles = given == null ? FrenchAnalyzer.DEFAULT_ARTICLES : given;
    return TokenFilterPart.normalizing(tokens -> new ElisionFilter(tokens, articles));
  }

  private static TokenFilterPart stop(Options options) {
    CharArraySet words = Words.stopWords(options, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET);
    if (!options.flag("remove_trailing", true)) {
      throw AnalysisException.illegal(
          "[remove_trailing] false of a stop filter is for suggestions, which are not supported");
    }
    return TokenFilterPart.of(tokens -> new StopFilter(tokens, words));
  }

  private TokenFilterPart ngram(Options options) {
    int min = options.positive("min_gram", 1);
    int max = options.positive("max_gram", 2);
    boolean keep = options.flag("preserve_original", false);
    limits.checkNgrams(min, max);
    return checked(
        tokens -> new NGramTokenFilter(tokens, min, max, keep),
        min <= max,
        "minGram must not be greater than maxGram");
  }

  private static TokenFilterPart edgeNgram(Options options) {
    int min = options.positive("min_gram", 1);
    int max = options.positive("max_gram", 2);
    boolean keep = options.flag("preserve_original", false);
    boolean back = options.text("side", "front").equals("back");
    return checked(
        tokens ->
            back
                ? new ReverseStringFilter(
                    new EdgeNGramTokenFilter(new ReverseStringFilter(tokens), min, max, keep))
                : new EdgeNGramTokenFilter(tokens, min, max, keep),
        min <= max,
        "minGram must not be greater than maxGram");
  }

  private TokenFilterPart shingle(Options options) {
    int min = options.whole("min_shingle_size", 2);
    int max = options.whole("max_shingle_size", 2);
    boolean unigrams = options.flag("output_unigrams", true);
    boolean alone = options.flag("output_unigrams_if_no_shingles", false);
    String separator = options.text("token_separator", " ");
    String filler = options.text("filler_token", "_");
    limits.checkShingles(min, max, unigrams);
    if (min < 2 || max < min) {
      throw AnalysisException.illegal(
          "Min shingle size must be >= 2 and Max shingle size must be >= min shingle size");
    }
    return TokenFilterPart.of(tokens -> {
      ShingleFilter shingles = new ShingleFilter(tokens, min, max);
      shingles.setOutputUnigrams(unigrams);
      shingles.setOutputUnigramsIfNoShingles(alone);
      shingles.setTokenSeparator(separator);
      shingles.setFillerToken(filler);
      return shingles;
    });
  }

  private static TokenFilterPart concatenated(Options options) {
    String separator = options.text("token_separator");
    int most =
        options.whole("max_graph_expansions", ConcatenateGraphFilter.DEFAULT_MAX_GRAPH_EXPANSIONS);
    boolean increments = options.flag("preserve_position_increments", false);
    Character between =
        separator == null
            ? ConcatenateGraphFilter.DEFAULT_TOKEN_SEPARATOR
            : separator.isEmpty() ? null : (Character) separator.charAt(0);
    return TokenFilterPart.of(
        tokens -> new ConcatenateGraphFilter(tokens, between, increments, most));
  }

  private static TokenFilterPart fingerprint(Options options) {
    int most = options.whole("max_output_size", FingerprintFilter.DEFAULT_MAX_OUTPUT_TOKEN_SIZE);
    char separator = separator(options);
    return TokenFilterPart.of(tokens -> new FingerprintFilter(tokens, most, separator));
  }

  static char separator(Options options) {
    String separator = options.text("separator", " ");
    if (separator.length() != 1) {
      throw AnalysisException.illegal(
          "Setting [separator] must be a single, non-null character. ["
              + separator
              + "] was provided.");
    }
    return separator.charAt(0);
  }

  private TokenFilterPart multiplexer(Options options) {
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

  private static TokenFilterPart keywordMarker(Options options) {
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

  private static TokenFilterPart stemmerOverride(Options options) {
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
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException("building rules in memory", e);
    }
  }

  private static TokenFilterPart commonGrams(Options options) {
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

  private static TokenFilterPart keep(Options options) {
    CharArraySet words = Words.list(options, "keep_words", options.flag("keep_words_case", false));
    if (words == null) {
      throw AnalysisException.illegal(
          "keep requires either `keep_words` or `keep_words_path` to be configured");
    }
    return TokenFilterPart.of(tokens -> new KeepWordFilter(tokens, words));
  }

  private static TokenFilterPart keepTypes(Options options) {
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

  private static TokenFilterPart cjkBigram(Options options) {
    int flags = 0xff;
    for (String script : options.list("ignored_scripts", List.of())) {
      flags &=
          ~switch (script) {
            case "han" -> CJKBigramFilter.HAN;
            case "hiragana" -> CJKBigramFilter.HIRAGANA;
            case "katakana" -> CJKBigramFilter.KATAKANA;
            case "hangul" -> CJKBigramFilter.HANGUL;
            default -> 0;
          };
    }
    int scripts = flags;
    boolean unigrams = options.flag("output_unigrams", false);
    return TokenFilterPart.of(tokens -> new CJKBigramFilter(tokens, scripts, unigrams));
  }

  private static TokenFilterPart payload(Options options) {
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

  private static TokenFilterPart decompounder(Options options) {
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

  private static TokenFilterPart minHash(Options options) {
    int hashes = options.positive("hash_count", 1);
    int buckets = options.positive("bucket_count", 512);
    int size = options.positive("hash_set_size", 1);
    boolean rotation = options.flag("with_rotation", buckets > 1);
    return TokenFilterPart.of(tokens -> new MinHashFilter(tokens, hashes, buckets, size, rotation));
  }

  private static TokenFilterPart patternCapture(Options options) {
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

  private static TokenFilterPart patternReplace(Options options) {
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
