package io.varve.analysis;

import java.util.Map;

/**
 * The maximum difference between the longest and the shortest n-gram or shingle. The limits bound
 * the number of tokens, because each length adds one token per position.
 */
record Limits(int ngramDiff, int shingleDiff) {

  static Limits of(Map<String, String> settings) {
    return new Limits(
        Integer.parseInt(settings.getOrDefault("index.max_ngram_diff", "1")),
        Integer.parseInt(settings.getOrDefault("index.max_shingle_diff", "3")));
  }

  void checkNgrams(int min, int max) {
    int diff = max - min;
    if (diff > ngramDiff) {
      throw AnalysisException.illegal(
          "The difference between max_gram and min_gram in NGram Tokenizer must be less than or"
              + " equal to: ["
              + ngramDiff
              + "] but was ["
              + diff
              + "]. This limit can be set by changing the [index.max_ngram_diff] index level"
              + " setting.");
    }
  }

  void checkShingles(int min, int max, boolean unigrams) {
    int diff = max - min + (unigrams ? 1 : 0);
    if (diff > shingleDiff) {
      throw AnalysisException.illegal(
          "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and"
              + " +1 if outputting unigrams) must be less than or equal to: ["
              + shingleDiff
              + "] but was ["
              + diff
              + "]. This limit can be set by changing the [index.max_shingle_diff] index level"
              + " setting.");
    }
  }
}
