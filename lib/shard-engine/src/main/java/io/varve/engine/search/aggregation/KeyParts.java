package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/** The distinct values of a document, as numbers for use in keys. */
abstract class KeyParts {

  private long[] values = new long[4];

  /** Loads a document and returns its number of distinct values. */
  abstract int load(int doc) throws IOException;

  /**
   * The values of the loaded document; only as many elements are valid as {@link #load} returned.
   */
  long[] values() {
    return values;
  }

  void set(int index, long value) {
    if (index == values.length) {
      values = Arrays.copyOf(values, index * 2);
    }
    values[index] = value;
  }

  /** Compares two numbers of a source. */
  static int compare(FieldValues source, long key, long other) {
    if (!source.kind().isWhole()) {
      return Double.compare(Double.longBitsToDouble(key), Double.longBitsToDouble(other));
    }
    return source.format() instanceof ValueFormat.Unsigned
        ? Long.compareUnsigned(key, other)
        : Long.compare(key, other);
  }

  /** The values of a segment's documents; terms are represented by segment ordinals. */
  static KeyParts ofSegment(FieldValues source, LeafReaderContext leaf) throws IOException {
    SortedSetDocValues ordinals = source.ordinals(leaf);
    return new KeyParts() {
      @Override
      int load(int doc) throws IOException {
        int size = ordinals.advanceExact(doc) ? ordinals.docValueCount() : 0;
        for (int i = 0; i < size; i++) {
          set(i, ordinals.nextOrd());
        }
        return size;
      }
    };
  }

  static KeyParts of(FieldValues source, TermTable terms, LeafReaderContext leaf)
      throws IOException {
    return source.kind() == FieldValues.Kind.BYTES
        ? new OfTerms(source.ordinals(leaf), source.missingBytes(), terms)
        : new OfNumbers(source.numbers(leaf), source.kind().isWhole());
  }

  private static final class OfNumbers extends KeyParts {
    private final Numbers numbers;
    private final boolean whole;

    OfNumbers(Numbers numbers, boolean whole) {
      this.numbers = numbers;
      this.whole = whole;
    }

    @Override
    int load(int doc) throws IOException {
      int size = 0;
      for (int left = numbers.load(doc); left > 0; left--) {
        long value = whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal());
        if (size == 0 || values()[size - 1] != value) {
          set(size++, value);
        }
      }
      return size;
    }
  }

  private static final class OfTerms extends KeyParts {
    private final SortedSetDocValues ordinals;
    private final TermTable terms;
    private final int missing;
    private int[] known = new int[0];

    OfTerms(
        SortedSetDocValues ordinals,
        @org.jspecify.annotations.Nullable BytesRef missing,
        TermTable terms) {
      this.ordinals = ordinals;
      this.terms = terms;
      this.missing = missing == null ? -1 : terms.add(missing);
    }

    @Override
    int load(int doc) throws IOException {
      if (!ordinals.advanceExact(doc)) {
        set(0, missing);
        return missing < 0 ? 0 : 1;
      }
      int size = ordinals.docValueCount();
      for (int i = 0; i < size; i++) {
        set(i, term(ordinals.nextOrd()));
      }
      return size;
    }

    private int term(long ordinal) throws IOException {
      if (known.length == 0) {
        known = new int[(int) Math.min(Integer.MAX_VALUE - 16, ordinals.getValueCount())];
      }
      int at = (int) ordinal;
      if (known[at] == 0) {
        known[at] = terms.add(ordinals.lookupOrd(ordinal)) + 1;
      }
      return known[at] - 1;
    }
  }
}
