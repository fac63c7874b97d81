package io.varve.engine.search;

import io.varve.engine.StoredValues;
import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.SourceReader;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFieldVisitor;
import org.jspecify.annotations.Nullable;

/** The requested stored fields of a document. */
final class StoredHit extends StoredFieldVisitor {

  private final boolean withSource;
  private final Set<String> names;
  private final List<IndexableField> fields = new ArrayList<>();
  private String id = "";
  private @Nullable String routing;
  private byte @Nullable [] source;

  /**
   * @param names of requested stored fields, besides metadata
   */
  StoredHit(boolean withSource, Set<String> names) {
    this.withSource = withSource;
    this.names = names;
  }

  String id() {
    return id;
  }

  @Nullable String routing() {
    return routing;
  }

  byte @Nullable [] source() {
    return source;
  }

  /** Rebuilds a derived source, as far as the filter requests it. */
  void derive(SourceReader sources, int document, SourceFilter filter) throws IOException {
    if (withSource) {
      source = sources.source(document, source, filter);
    }
  }

  Map<String, List<Object>> values() {
    return fields.isEmpty() ? Map.of() : StoredValues.of(fields, names);
  }

  @Override
  public Status needsField(FieldInfo field) {
    return switch (field.name) {
      case MetaFields.ID, MetaFields.ROUTING -> Status.YES;
      case MetaFields.SOURCE -> withSource ? Status.YES : Status.NO;
      default -> names.contains(field.name) ? Status.YES : Status.NO;
    };
  }

  @Override
  public void binaryField(FieldInfo field, byte[] value) {
    switch (field.name) {
      case MetaFields.ID -> id = new String(value, StandardCharsets.UTF_8);
      case MetaFields.ROUTING -> routing = new String(value, StandardCharsets.UTF_8);
      case MetaFields.SOURCE -> source = value;
      default -> fields.add(new StoredField(field.name, value));
    }
  }

  @Override
  public void stringField(FieldInfo field, String value) {
    fields.add(new StoredField(field.name, value));
  }

  @Override
  public void intField(FieldInfo field, int value) {
    fields.add(new StoredField(field.name, value));
  }

  @Override
  public void longField(FieldInfo field, long value) {
    fields.add(new StoredField(field.name, value));
  }

  @Override
  public void floatField(FieldInfo field, float value) {
    fields.add(new StoredField(field.name, value));
  }

  @Override
  public void doubleField(FieldInfo field, double value) {
    fields.add(new StoredField(field.name, value));
  }
}
