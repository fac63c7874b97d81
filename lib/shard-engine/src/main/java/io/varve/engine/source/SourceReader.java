package io.varve.engine.source;

import io.varve.engine.source.SourceShape.Part;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sources of one segment's documents, derived or stored, in ascending order with a single
 * pass over doc values. Used by one thread.
 */
public final class SourceReader {

  private static final BytesRef NOT_WANTED = new BytesRef("null");

  private final LeafReader segment;
  private final Map<String, FieldCursor> fields = new HashMap<>();
  private @Nullable SortedDocValues shapes;
  private int last = -1;

  public SourceReader(LeafReader segment) throws IOException {
    this.segment = segment;
    this.shapes = segment.getSortedDocValues(DerivedSources.SHAPE);
  }

  /** The source of a document, given its stored part; {@code null} if none is kept. */
  public byte @Nullable [] source(int document, byte @Nullable [] stored) throws IOException {
    return source(document, stored, SourceFilter.ALL);
  }

  /**
   * As above, for a caller that applies the filter to the result: values that it excludes may be
   * wrong, because they are not read.
   */
  public byte @Nullable [] source(int document, byte @Nullable [] stored, SourceFilter filter)
      throws IOException {
    SortedDocValues own = shapesFor(document);
    if (own == null || !own.advanceExact(document)) {
      return stored;
    }
    try {
      SourceShape shape = SourceShape.of(own.lookupOrd(own.ordValue()));
      return put(shape, document, new StoredValueReader(stored), filter);
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException e) {
      // Other exceptions are not corruption: the reader was closed or the task was cancelled.
      throw corrupt(document, "the source can't be reassembled", e);
    }
  }

  private byte[] put(SourceShape shape, int document, StoredValueReader stored, SourceFilter filter)
      throws IOException {
    BytesRefBuilder source = new BytesRefBuilder();
    for (Part part : shape.parts()) {
      switch (part) {
        case Part.Text text -> source.append(text.json());
        case Part.Value value -> append(value.hole(), document, filter, source);
        case Part.Stored _ -> stored.appendNext(source);
      }
    }
    stored.requireEnd();
    return source.toBytesRef().bytes;
  }

  /**
   * The shapes, positioned before the document: doc values only advance, so they are opened again
   * for a document that is behind the current one.
   */
  private @Nullable SortedDocValues shapesFor(int document) throws IOException {
    if (document < last && shapes != null) {
      shapes = segment.getSortedDocValues(DerivedSources.SHAPE);
      fields.clear();
    }
    last = document;
    return shapes;
  }

  private void append(Placeholder hole, int document, SourceFilter filter, BytesRefBuilder to)
      throws IOException {
    if (!mayBeWanted(hole.field(), filter)) {
      to.append(NOT_WANTED);
      return;
    }
    FieldCursor field = fields.get(hole.field());
    if (field == null) {
      field = new FieldCursor(segment, hole.field());
      fields.put(hole.field(), field);
    }
    if (!field.append(hole, document, to)) {
      throw corrupt(
          document,
          "no value "
              + hole.rank()
              + " for ["
              + hole.rendering().code()
              + "] in field ["
              + hole.field()
              + "]",
          null);
    }
  }

  /**
   * Whether the filter may include a value of the field. The value of a sub-field is in the source
   * under the name of its parent field.
   */
  private static boolean mayBeWanted(String field, SourceFilter filter) {
    if (filter.includes().isEmpty()) {
      return true;
    }
    for (String name : filter.includes()) {
      if (name.indexOf('*') >= 0
          || field.equals(name)
          || isBelow(field, name)
          || isBelow(name, field)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBelow(String name, String other) {
    return name.length() > other.length()
        && name.startsWith(other)
        && name.charAt(other.length()) == '.';
  }

  private CorruptIndexException corrupt(int document, String what, @Nullable Exception cause) {
    return new CorruptIndexException(
        "document " + document + " has " + what, segment.toString(), cause);
  }
}
