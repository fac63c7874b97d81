package io.varve.analysis;

import io.varve.analysis.CharFilters.CharFilter;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;

/** An analyzer composed of character filters, a tokenizer and token filters, in this order. */
final class Chain extends Analyzer {

  /** A part with the name that the definition uses for it. */
  record Named<T>(String name, T part) {}

  /** Default of {@code position_increment_gap}: positions between the values of one field. */
  static final int POSITION_GAP = 100;

  private final List<Named<CharFilter>> charFilters;
  private final Named<Supplier<Tokenizer>> tokenizer;
  private final List<Named<TokenFilterPart>> filters;
  private final int positionGap;

  Chain(
      List<Named<CharFilter>> charFilters,
      Named<Supplier<Tokenizer>> tokenizer,
      List<Named<TokenFilterPart>> filters,
      int positionGap) {
    super(GLOBAL_REUSE_STRATEGY);
    this.charFilters = List.copyOf(charFilters);
    this.tokenizer = tokenizer;
    this.positionGap = positionGap;
    List<Named<TokenFilterPart>> bound = new ArrayList<>();
    for (Named<TokenFilterPart> filter : filters) {
      TokenFilterPart part = filter.part();
      if (part instanceof Synonyms || part instanceof Multiplexer) {
        part = part.behind(new Chain(charFilters, tokenizer, List.copyOf(bound), positionGap));
      }
      bound.add(new Named<>(filter.name(), part));
    }
    this.filters = List.copyOf(bound);
  }

  List<Named<CharFilter>> charFilters() {
    return charFilters;
  }

  Named<Supplier<Tokenizer>> tokenizer() {
    return tokenizer;
  }

  List<Named<TokenFilterPart>> filters() {
    return filters;
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    Tokenizer source = tokenizer.part().get();
    TokenStream tokens =
        source instanceof Tokenizers.LowercaseTokenizer ? new LowerCaseFilter(source) : source;
    for (Named<TokenFilterPart> filter : filters) {
      tokens = filter.part().over(tokens);
    }
    return new TokenStreamComponents(source, tokens);
  }

  @Override
  protected Reader initReader(String fieldName, Reader reader) {
    Reader filtered = reader;
    for (Named<CharFilter> filter : charFilters) {
      filtered = filter.part().over().apply(filtered);
    }
    return filtered;
  }

  @Override
  protected Reader initReaderForNormalization(String fieldName, Reader reader) {
    Reader filtered = reader;
    for (Named<CharFilter> filter : charFilters) {
      if (filter.part().normalizing()) {
        filtered = filter.part().over().apply(filtered);
      }
    }
    return filtered;
  }

  @Override
  protected TokenStream normalize(String fieldName, TokenStream in) {
    TokenStream tokens = in;
    for (Named<TokenFilterPart> filter : filters) {
      if (filter.part().normalizing()) {
        tokens = filter.part().over(tokens);
      }
    }
    return tokens;
  }

  @Override
  public int getPositionIncrementGap(String fieldName) {
    return positionGap;
  }
}
