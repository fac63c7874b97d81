package io.varve.engine.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/** Combines the tokens of several analyzers, in the order of the text. */
final class MergedAnalyzer extends Analyzer {

  private record Word(String text, int from, int to) {}

  private final List<Analyzer> analyzers;

  MergedAnalyzer(List<Analyzer> analyzers) {
    this.analyzers = List.copyOf(analyzers);
  }

  @Override
  protected TokenStreamComponents createComponents(String field) {
    return new TokenStreamComponents(new Merged(field));
  }

  private final class Merged extends Tokenizer {
    private final String field;
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private Iterator<Word> words = List.<Word>of().iterator();
    private int length;

    Merged(String field) {
      this.field = field;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      StringBuilder text = new StringBuilder();
      char[] buffer = new char[4096];
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        text.append(buffer, 0, read);
      }
      length = text.length();
      List<Word> found = new ArrayList<>();
      for (Analyzer analyzer : analyzers) {
        collect(analyzer, text.toString(), found);
      }
      found.sort(Comparator.comparingInt(Word::from).thenComparingInt(Word::to));
      words = found.iterator();
    }

    private void collect(Analyzer analyzer, String text, List<Word> into) throws IOException {
      try (TokenStream stream = analyzer.tokenStream(field, text)) {
        CharTermAttribute word = stream.addAttribute(CharTermAttribute.class);
        OffsetAttribute place = stream.addAttribute(OffsetAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          into.add(new Word(word.toString(), place.startOffset(), place.endOffset()));
        }
        stream.end();
      }
    }

    @Override
    public boolean incrementToken() {
      clearAttributes();
      if (!words.hasNext()) {
        return false;
      }
      Word next = words.next();
      term.setEmpty().append(next.text);
      offset.setOffset(correctOffset(next.from), correctOffset(next.to));
      return true;
    }

    @Override
    public void end() throws IOException {
      super.end();
      offset.setOffset(correctOffset(length), correctOffset(length));
    }
  }
}
