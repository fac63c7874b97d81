package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.DerivedSources;
import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Writes operations to the Lucene writer. */
final class LuceneApplier {

  private static final Field SOFT_DELETED =
      new NumberField(MetaFields.SOFT_DELETES, 1, MetaFields.NUMBER);
  private static final Field TOMBSTONE =
      new NumberField(MetaFields.TOMBSTONE, 1, MetaFields.NUMBER);

  private final IndexWriter writer;
  private final Supplier<Mapping> mapping;
  private final @Nullable DerivedSources derived;

  /**
   * @param derived stores derived sources; {@code null} if sources are stored as they are
   */
  LuceneApplier(IndexWriter writer, Supplier<Mapping> mapping, @Nullable DerivedSources derived) {
    this.writer = writer;
    this.mapping = mapping;
    this.derived = derived;
  }

  /**
   * @param kept the part of the source that the mapping keeps
   */
  static DocumentState state(Operation operation, byte @Nullable [] kept) {
    return new DocumentState(
        operation.seqNo(),
        operation.term(),
        operation.version(),
        operation.isDelete(),
        kept,
        operation.routing());
  }

  /**
   * Applies one operation.
   *
   * @param replaces whether the id has a document to be replaced
   */
  void apply(Operation operation, Parsed.@Nullable Document document, boolean replaces)
      throws IOException {
    BytesRef id = new BytesRef(operation.id().getBytes(StandardCharsets.UTF_8));
    List<IndexableField> fields =
        document == null ? new ArrayList<>(8) : new ArrayList<>(document.fields().size() + 6);
    addMetaFields(fields, operation, id);
    if (document == null) {
      fields.add(SOFT_DELETED);
      fields.add(TOMBSTONE);
    } else {
      addSource(document, fields);
      fields.addAll(document.fields());
    }
    write(new Term(MetaFields.ID, id), fields, document, replaces);
  }

  private void addSource(Parsed.Document document, List<IndexableField> to) {
    byte[] source = document.kept();
    if (source == null) {
      return;
    }
    if (derived == null) {
      to.add(new Field(MetaFields.SOURCE, new BytesRef(source), MetaFields.STORED_BYTES));
    } else {
      derived.add(source, document.fields(), mapping.get(), to);
    }
  }

  /** Nested objects precede their document in one block and share its id. */
  private void write(
      Term id, List<IndexableField> fields, Parsed.@Nullable Document document, boolean replaces)
      throws IOException {
    if (document == null || document.block().nested().isEmpty()) {
      if (replaces) {
        writer.softUpdateDocument(id, fields, SOFT_DELETED);
      } else {
        writer.addDocument(fields);
      }
      return;
    }
    List<List<IndexableField>> block = new ArrayList<>(document.block().nested());
    block.add(fields);
    if (replaces) {
      writer.softUpdateDocuments(id, block, SOFT_DELETED);
    } else {
      writer.addDocuments(block);
    }
  }

  private static void addMetaFields(List<IndexableField> fields, Operation operation, BytesRef id) {
    fields.add(new Field(MetaFields.ID, id, MetaFields.STORED_TERM));
    fields.add(new NumberField(MetaFields.SEQ_NO, operation.seqNo(), MetaFields.SKIPPED_NUMBER));
    fields.add(new NumberField(MetaFields.PRIMARY_TERM, operation.term(), MetaFields.NUMBER));
    fields.add(new NumberField(MetaFields.VERSION, operation.version(), MetaFields.NUMBER));
    String routing = operation.routing();
    if (routing != null) {
      fields.add(
          new Field(
              MetaFields.ROUTING,
              new BytesRef(routing.getBytes(StandardCharsets.UTF_8)),
              MetaFields.STORED_TERM));
    }
  }

  /** A number in doc values. */
  private static final class NumberField extends Field {
    NumberField(String name, long value, FieldType type) {
      super(name, type);
      fieldsData = value;
    }
  }
}
