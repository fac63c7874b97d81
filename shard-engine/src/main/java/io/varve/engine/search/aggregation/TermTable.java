package io.varve.engine.search.aggregation;

import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;

/** Numbers terms in the order in which they were first seen. */
final class TermTable {

  private final BytesRefHash hash = new BytesRefHash();
  private final MemoryAccount memory;

  TermTable(MemoryAccount memory) {
    this.memory = memory;
  }

  int add(BytesRef term) {
    int number = hash.add(term);
    if (number < 0) {
      return -number - 1;
    }
    // The bytes, their length, and places in two tables that double.
    memory.charge(term.length + 2 + 16);
    return number;
  }

  void get(int number, BytesRef into) {
    hash.get(number, into);
  }

  int size() {
    return hash.size();
  }
}
