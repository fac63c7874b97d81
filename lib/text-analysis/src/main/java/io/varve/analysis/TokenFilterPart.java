package io.varve.analysis;

import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;

/** A configured token filter that can be applied to streams. */
interface TokenFilterPart {

  TokenStream over(TokenStream tokens);

  /** Whether a normalizer may use it, because it maps each token to exactly one. */
  default boolean normalizing() {
    return false;
  }

  /** The same filter with its rules analyzed by the parts that precede it. */
  default TokenFilterPart behind(Analyzer before) {
    return this;
  }

  static TokenFilterPart of(UnaryOperator<TokenStream> over) {
    return over::apply;
  }

  /** A filter that a normalizer may use. */
  static TokenFilterPart normalizing(UnaryOperator<TokenStream> over) {
    return new TokenFilterPart() {
      @Override
      public TokenStream over(TokenStream tokens) {
        return over.apply(tokens);
      }

      @Override
      public boolean normalizing() {
        return true;
      }
    };
  }
}
