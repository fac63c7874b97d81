package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.jspecify.annotations.Nullable;

/** The analyzers that mappings name, as their index defines them. */
public final class FieldAnalyzers {

  private static final int POSITION_GAP = 100;

  private static final Analyzer KEYWORD = new KeywordAnalyzer();

  private FieldAnalyzers() {}

  /** An analyzer of the field's index by its name. */
  public static @Nullable Analyzer named(LeafField field, String name) {
    return field.analysis().analyzer(name);
  }

  public static Analyzer forIndexing(LeafField field) {
    return known(field, field.analyzer());
  }

  public static Analyzer forSearching(LeafField field) {
    return known(field, field.searchAnalyzer());
  }

  /** For phrases. */
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
   * For the Lucene writer: it says how far apart a field's values stand, so that no phrase spans
   * two of them. The fields of {@link FieldWriter} bring the tokens themselves.
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
