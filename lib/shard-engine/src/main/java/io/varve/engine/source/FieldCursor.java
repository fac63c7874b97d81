package io.varve.engine.source;

import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/** A forward cursor over the doc values of one field of a segment. */
final class FieldCursor {

  private final @Nullable SortedNumericDocValues numbers;
  private final @Nullable SortedSetDocValues terms;
  private final @Nullable BinaryDocValues bytes;
  private int document = -1;

  /** The current document's numbers or term ordinals. */
  private long[] values = new long[1];

  private int count;

  FieldCursor(LeafReader segment, String field) throws IOException {
    FieldInfo info = segment.getFieldInfos().fieldInfo(field);
    DocValuesType type = info == null ? DocValuesType.NONE : info.getDocValuesType();
    numbers =
        type == DocValuesType.SORTED_NUMERIC ? DocValues.getSortedNumeric(segment, field) : null;
    terms = type == DocValuesType.SORTED_SET ? DocValues.getSortedSet(segment, field) : null;
    bytes = type == DocValuesType.BINARY ? DocValues.getBinary(segment, field) : null;
  }

  /**
   * Appends the value of a hole; {@code false} if the document has no such value, or it can't be
   * rendered.
   */
  boolean append(Placeholder hole, int of, BytesRefBuilder to) throws IOException {
    if (of != document) {
      load(of);
      document = of;
    }
    if (hole.rank() >= count) {
      return false;
    }
    long value = values[hole.rank()];
    return switch (hole.rendering()) {
      case Rendering.OfNumber number -> {
        if (numbers != null) {
          to.append(new BytesRef(number.text(value)));
        }
        yield numbers != null;
      }
      case Rendering.OfTerm term -> appendTerm(term, value, to);
    };
  }

  private boolean appendTerm(Rendering.OfTerm rendering, long ordinal, BytesRefBuilder to)
      throws IOException {
    if (terms != null) {
      rendering.append(terms.lookupOrd(ordinal), to);
    } else if (bytes != null) {
      rendering.append(bytes.binaryValue(), to);
    }
    return terms != null || bytes != null;
  }

  private void load(int of) throws IOException {
    count = 0;
    if (numbers != null && numbers.advanceExact(of)) {
      room(numbers.docValueCount());
      for (int i = 0; i < count; i++) {
        values[i] = numbers.nextValue();
      }
    } else if (terms != null && terms.advanceExact(of)) {
      room(terms.docValueCount());
      for (int i = 0; i < count; i++) {
        values[i] = terms.nextOrd();
      }
    } else if (bytes != null && bytes.advanceExact(of)) {
      room(1);
    }
  }

  private void room(int wanted) {
    values = ArrayUtil.grow(values, wanted);
    count = wanted;
  }
}
