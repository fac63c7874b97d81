package io.varve.analysis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.ConditionalTokenFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** Emits each token several times at the same position, once for each of several filter chains. */
final class Multiplexer implements TokenFilterPart {

  private final List<List<TokenFilterPart>> chains;

  Multiplexer(List<List<TokenFilterPart>> chains, boolean preserveOriginal) {
    this.chains = new ArrayList<>(chains);
    if (preserveOriginal) {
      this.chains.addFirst(List.of());
    }
  }

  @Override
  public TokenStream over(TokenStream tokens) {
    return new RemoveDuplicatesTokenFilter(new Filter(tokens, chains));
  }

  @Override
  public TokenFilterPart behind(Analyzer before) {
    List<List<TokenFilterPart>> bound =
        chains.stream()
            .map(chain -> chain.stream().map(part -> part.behind(before)).toList())
            .toList();
    return new Multiplexer(bound, false);
  }

  /** Repeats each token once per chain and passes each repetition through one chain. */
  private static final class Filter extends TokenFilter {

    private final Repeating source;
    private final int count;

    Filter(TokenStream tokens, List<List<TokenFilterPart>> chains) {
      this(new Repeating(tokens, chains.size()), chains);
    }

    private Filter(Repeating source, List<List<TokenFilterPart>> chains) {
      super(chained(source, chains));
      this.source = source;
      this.count = chains.size();
    }

    private static TokenStream chained(Repeating source, List<List<TokenFilterPart>> chains) {
      TokenStream tokens = source;
      for (int i = 0; i < chains.size(); i++) {
        int turn = i;
        List<TokenFilterPart> chain = chains.get(i);
        if (!chain.isEmpty()) {
          tokens =
              new ConditionalTokenFilter(
                  tokens,
                  inner -> {
                    TokenStream over = inner;
                    for (TokenFilterPart part : chain) {
                      over = part.over(over);
                    }
                    return over;
                  }) {
                @Override
                protected boolean shouldFilter() {
                  return source.turn == turn;
                }
              };
        }
      }
      return tokens;
    }

    @Override
    public boolean incrementToken() throws IOException {
      return count > 0 && input.incrementToken();
    }

    @Override
    public void reset() throws IOException {
      source.restart();
      super.reset();
    }
  }

  private static final class Repeating extends TokenFilter {

    private final PositionIncrementAttribute increment =
        addAttribute(PositionIncrementAttribute.class);
    private final int count;
    private int turn;
    private State state = captureState();

    Repeating(TokenStream tokens, int count) {
      super(tokens);
      this.count = count;
      restart();
    }

    void restart() {
      turn = count - 1;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (turn >= count - 1) {
        if (!input.incrementToken()) {
          return false;
        }
        state = captureState();
        turn = 0;
        return true;
      }
      restoreState(state);
      increment.setPositionIncrement(0);
      turn++;
      return true;
    }
  }
}
