package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.jspecify.annotations.Nullable;

/** Resolves the analyzers named in mappings, as defined by their index. */
public final class FieldAnalyzers {

  private static final int POSITION_GAP = 100;

  private static final Analyzer KEYWORD = new KeywordAnalyzer();

  private FieldAnalyzers() {}

  /** An analyzer of the field's index, by name. */
  public static @Nullable Analyzer named(LeafField field, String name) {
    return field.analysis().analyzer(name);
  }

  public static Analyzer forIndexing(LeafField field) {
    return known(field, field.analyzer());
  }

  public static Analyzer forSearching(LeafField field) {
    return known(field, field.searchAnalyzer());
  }

  /** The analyzer for text in quotes ({@code search_quote_analyzer}). */
  public static Analyzer forQuotes(LeafField field) {
    return known(field, field.searchQuoteAnalyzer());
  }

  private static Analyzer known(LeafField field, String name) {
    Analyzer analyzer = field.analysis().analyzer(name);
    if (analyzer == null) {
      throw new IllegalStateException(
          "field [" + field.path() + "] names analyzer [" + name + "], which isn't known");
    }
    return analyzer;
  }

  /**
   * The analyzer of the Lucene writer, which only determines the position gap between values of a
   * field, so that no phrase spans two values. The fields of {@link FieldWriter} supply their own
   * tokens.
   */
  public static Analyzer forWriter(Supplier<Mapping> mapping) {
    return new AnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String fieldName) {
        return KEYWORD;
      }

      @Override
      public int getPositionIncrementGap(String fieldName) {
        LeafField field = mapping.get().leaves().get(fieldName);
        return field == null ? POSITION_GAP : field.positionIncrementGap();
      }
    };
  }
}
