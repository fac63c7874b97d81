package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;

/** Numbers terms in the order of first occurrence. */
final class TermTable {

  private final BytesRefHash hash = new BytesRefHash();
  private final MemoryAccount memory;
  private final BytesRef first = new BytesRef();
  private final BytesRef second = new BytesRef();

  TermTable(MemoryAccount memory) {
    this.memory = memory;
  }

  int add(BytesRef term) {
    int number = hash.add(term);
    if (number < 0) {
      return -number - 1;
    }
    // The bytes, their length, and slots in two tables that double in size.
    memory.charge(term.length + 2 + 16);
    return number;
  }

  void get(int number, BytesRef into) {
    hash.get(number, into);
  }

  int compare(int number, int other) {
    hash.get(number, first);
    hash.get(other, second);
    return first.compareTo(second);
  }

  /** A term as key of a partial result. */
  BytesKey key(int number) {
    BytesRef term = new BytesRef();
    hash.get(number, term);
    return key(term);
  }

  /** A term as key with its own copy of the bytes. */
  static BytesKey key(BytesRef term) {
    return new BytesKey(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length));
  }

  int size() {
    return hash.size();
  }
}
