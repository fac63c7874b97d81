package io.varve.analysis;

import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;

/** A token filter, ready to be put over streams. */
interface TokenFilterPart {

  TokenStream over(TokenStream tokens);

  /** It may stand in a normalizer: it changes tokens, and makes one of each. */
  default boolean normalizing() {
    return false;
  }

  /** The same behind other parts, which make the words of its own rules. */
  default TokenFilterPart behind(Analyzer before) {
    return this;
  }

  static TokenFilterPart of(UnaryOperator<TokenStream> over) {
    return over::apply;
  }

  /** One that may stand in a normalizer. */
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
