package io.varve.analysis;

import java.util.List;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.minhash.MinHashFilter;
import org.apache.lucene.analysis.miscellaneous.ConcatenateGraphFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;

/**
 * Creates filters that build new tokens: from the letters of a token (n-grams), from neighbouring
 * tokens (shingles, bigrams), or one token from all tokens of a text (concatenation, fingerprint,
 * min-hash). A wide range of lengths creates very many tokens, so an index setting limits it.
 */
final class GramFilters {

  private GramFilters() {}

  static TokenFilterPart ngram(ComponentOptions options, Limits limits) {
    int min = options.positive("min_gram", 1);
    int max = options.positive("max_gram", 2);
    boolean keep = options.flag("preserve_original", false);
    limits.checkNgrams(min, max);
    return TokenFilters.checked(
        tokens -> new NGramTokenFilter(tokens, min, max, keep),
        min <= max,
        "minGram must not be greater than maxGram");
  }

  static TokenFilterPart edgeNgram(ComponentOptions options) {
    int min = options.positive("min_gram", 1);
    int max = options.positive("max_gram", 2);
    boolean keep = options.flag("preserve_original", false);
    boolean back = options.text("side", "front").equals("back");
    return TokenFilters.checked(
        tokens ->
            back
                ? new ReverseStringFilter(
                    new EdgeNGramTokenFilter(new ReverseStringFilter(tokens), min, max, keep))
                : new EdgeNGramTokenFilter(tokens, min, max, keep),
        min <= max,
        "minGram must not be greater than maxGram");
  }

  static TokenFilterPart shingle(ComponentOptions options, Limits limits) {
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

  static TokenFilterPart cjkBigram(ComponentOptions options) {
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

  static TokenFilterPart concatenated(ComponentOptions options) {
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

  static TokenFilterPart fingerprint(ComponentOptions options) {
    int most = options.whole("max_output_size", FingerprintFilter.DEFAULT_MAX_OUTPUT_TOKEN_SIZE);
    char separator = separator(options);
    return TokenFilterPart.of(tokens -> new FingerprintFilter(tokens, most, separator));
  }

  static char separator(ComponentOptions options) {
    String separator = options.text("separator", " ");
    if (separator.length() != 1) {
      throw AnalysisException.illegal(
          "Setting [separator] must be a single, non-null character. ["
              + separator
              + "] was provided.");
    }
    return separator.charAt(0);
  }

  static TokenFilterPart minHash(ComponentOptions options) {
    int hashes = options.positive("hash_count", 1);
    int buckets = options.positive("bucket_count", 512);
    int size = options.positive("hash_set_size", 1);
    boolean rotation = options.flag("with_rotation", buckets > 1);
    return TokenFilterPart.of(tokens -> new MinHashFilter(tokens, hashes, buckets, size, rotation));
  }
}
