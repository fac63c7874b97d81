package io.varve.analysis;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** Removes duplicate tokens, within the whole text or at each position. */
final class UniqueTokens extends TokenFilter {

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final CharArraySet seen = new CharArraySet(8, false);
  private final boolean samePositionAlone;

  UniqueTokens(TokenStream tokens, boolean samePositionAlone) {
    super(tokens);
    this.samePositionAlone = samePositionAlone;
  }

  @Override
  public boolean incrementToken() throws IOException {
    while (input.incrementToken()) {
      if (samePositionAlone && increment.getPositionIncrement() > 0) {
        seen.clear();
      }
      char[] copy = Arrays.copyOf(term.buffer(), term.length());
      if (seen.add(copy)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    seen.clear();
  }
}
