package io.varve.engine.fields;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.jspecify.annotations.Nullable;

/** Text with its own analyzer: what the writer was opened with doesn't matter. */
final class TextField extends Field {

  private static final FieldType[] TYPES = new FieldType[8];

  static {
    for (int i = 0; i < TYPES.length; i++) {
      TYPES[i] = make((i & 4) != 0, (i & 2) != 0, (i & 1) != 0);
    }
  }

  private final Analyzer analyzer;
  private final String text;

  TextField(String name, String text, Analyzer analyzer, FieldType type) {
    super(name, text, type);
    this.text = text;
    this.analyzer = analyzer;
  }

  /** One of a few types, shared by all fields of its kind. */
  static FieldType type(boolean indexed, boolean norms, boolean stored) {
    return TYPES[(indexed ? 4 : 0) | (norms ? 2 : 0) | (stored ? 1 : 0)];
  }

  private static FieldType make(boolean indexed, boolean norms, boolean stored) {
    FieldType type = new FieldType();
    if (indexed) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
      type.setTokenized(true);
      type.setOmitNorms(!norms);
    }
    type.setStored(stored);
    type.freeze();
    return type;
  }

  @Override
  public @Nullable TokenStream tokenStream(Analyzer ofWriter, @Nullable TokenStream reuse) {
    if (fieldType().indexOptions() == IndexOptions.NONE) {
      return null;
    }
    return analyzer.tokenStream(name(), text);
  }
}
