package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.jspecify.annotations.Nullable;

/** The analyzers that mappings name. They are safe to share and live as long as the process. */
public final class FieldAnalyzers {

  /** Values of one field stand this far apart, so that no phrase spans two of them. */
  private static final int POSITION_GAP = 100;

  private static final Analyzer STANDARD = new StandardAnalyzer(CharArraySet.EMPTY_SET);

  private static final Map<String, Analyzer> ANALYZERS =
      Map.of(
          "default", STANDARD,
          "standard", STANDARD,
          "simple", new SimpleAnalyzer(),
          "whitespace", new WhitespaceAnalyzer(),
          "stop", new StopAnalyzer(EnglishAnalyzer.ENGLISH_STOP_WORDS_SET),
          "keyword", new KeywordAnalyzer(),
          "english", new EnglishAnalyzer());

  private FieldAnalyzers() {}

  public static @Nullable Analyzer named(String name) {
    return ANALYZERS.get(name);
  }

  public static Analyzer forIndexing(LeafField field) {
    return known(field.analyzer());
  }

  public static Analyzer forSearching(LeafField field) {
    return known(field.searchAnalyzer());
  }

  private static Analyzer known(String name) {
    Analyzer analyzer = ANALYZERS.get(name);
    if (analyzer == null) {
      throw new IllegalStateException("a mapping names analyzer [" + name + "], which isn't known");
    }
    return analyzer;
  }

  /**
   * For the Lucene writer: it says how far apart a field's values stand. The fields of {@link
   * MappedFields} bring the tokens themselves.
   */
  public static Analyzer forWriter() {
    return new AnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String fieldName) {
        return STANDARD;
      }

      @Override
      public int getPositionIncrementGap(String fieldName) {
        return POSITION_GAP;
      }
    };
  }
}
