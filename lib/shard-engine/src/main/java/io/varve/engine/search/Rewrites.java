package io.varve.engine.search;

import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.MultiTermQuery.TopTermsBlendedFreqScoringRewrite;
import org.apache.lucene.search.MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite;
import org.apache.lucene.search.MultiTermQuery.TopTermsScoringBooleanQueryRewrite;
import org.jspecify.annotations.Nullable;

/** Resolves the rewrite methods of multi-term queries by their names in the query DSL. */
final class Rewrites {

  private Rewrites() {}

  static RewriteMethod of(@Nullable String name, RewriteMethod otherwise) {
    return switch (name) {
      case null -> otherwise;
      case "constant_score", "constant_score_auto", "constant_score_filter" ->
          MultiTermQuery.CONSTANT_SCORE_REWRITE;
      case "constant_score_blended" -> MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE;
      case "scoring_boolean" -> MultiTermQuery.SCORING_BOOLEAN_REWRITE;
      case "constant_score_boolean" -> MultiTermQuery.CONSTANT_SCORE_BOOLEAN_REWRITE;
      default -> best(name, otherwise);
    };
  }

  private static RewriteMethod best(String name, RewriteMethod otherwise) {
    int digits = name.lastIndexOf('_') + 1;
    if (!name.substring(digits).matches("\\d{1,9}")) {
      return otherwise;
    }
    int size = Math.max(1, Integer.parseInt(name.substring(digits)));
    return switch (name.substring(0, digits)) {
      case "top_terms_" -> new TopTermsScoringBooleanQueryRewrite(size);
      case "top_terms_boost_" -> new TopTermsBoostOnlyBooleanQueryRewrite(size);
      case "top_terms_blended_freqs_" -> new TopTermsBlendedFreqScoringRewrite(size);
      default -> otherwise;
    };
  }
}
