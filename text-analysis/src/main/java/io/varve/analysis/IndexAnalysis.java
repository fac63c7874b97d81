package io.varve.analysis;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The analyzers of an index. */
public final class IndexAnalysis {

  public static final String DEFAULT_SEARCH = "default_search";
  public static final IndexAnalysis DEFAULT = new IndexAnalysis();

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

  private IndexAnalysis() {}

  /** {@code settings} flat and under their full names. */
  public static IndexAnalysis of(Map<String, String> settings) {
    return DEFAULT;
  }

  public @Nullable Analyzer analyzer(String name) {
    return ANALYZERS.get(name);
  }

  public @Nullable Analyzer normalizer(String name) {
    return name.equals("lowercase") ? new SimpleAnalyzer() : null;
  }

  /** A keyword as a normalizer makes it. */
  public BytesRef normalized(String normalizer, String field, String text) {
    Analyzer analyzer = normalizer(normalizer);
    if (analyzer == null) {
      throw new IllegalStateException("no normalizer [" + normalizer + "]");
    }
    return analyzer.normalize(field, text);
  }

  /** Whether the index itself has an analyzer of that name. */
  public boolean defines(String analyzer) {
    return false;
  }
}
