package io.varve.engine.source;

import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the stored part of a source, a JSON list. Throws {@link IllegalArgumentException}
 * or {@link IndexOutOfBoundsException} if the list is damaged or does not have as many values as
 * the shape needs.
 */
final class StoredValueReader {

  private final byte @Nullable [] list;

  /** The position after the bracket or comma before the next value. */
  private int at;

  StoredValueReader(byte @Nullable [] list) {
    this.list = list;
  }

  void appendNext(BytesRefBuilder to) {
    if (list == null) {
      throw new IllegalArgumentException("the stored part is missing");
    }
    require(list, at == 0 ? 0 : at - 1, at == 0 ? '[' : ',');
    int from = Math.max(at, 1);
    int end = JsonText.endOfValue(list, from);
    if (end == from) {
      throw new IllegalArgumentException("no value is stored at " + from);
    }
    to.append(list, from, end - from);
    at = end + 1;
  }

  /** Rejects superfluous values. */
  void requireEnd() {
    if (list != null) {
      require(list, list.length - 1, ']');
      if (at != list.length) {
        throw new IllegalArgumentException("unexpected stored value at " + at);
      }
    }
  }

  private static void require(byte[] list, int at, char wanted) {
    if (list[at] != wanted) {
      throw new IllegalArgumentException("no [" + wanted + "] stored at " + at);
    }
  }
}
