package io.varve.engine.fields;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.jspecify.annotations.Nullable;

/** A text field with its own analyzer, independent of the writer's. */
final class TextField extends Field {

  private final Analyzer analyzer;
  private final String text;

  TextField(String name, String text, Analyzer analyzer, FieldType type) {
    super(name, text, type);
    this.text = text;
    this.analyzer = analyzer;
  }

  @Override
  public @Nullable TokenStream tokenStream(Analyzer ofWriter, @Nullable TokenStream reuse) {
    if (fieldType().indexOptions() == IndexOptions.NONE) {
      return null;
    }
    return analyzer.tokenStream(name(), text);
  }
}
