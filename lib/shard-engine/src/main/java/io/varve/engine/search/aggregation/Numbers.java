package io.varve.engine.search.aggregation;

import java.io.IOException;

/** The numbers of a segment's documents, ascending per document. */
interface Numbers {

  /** No document has a value. */
  Numbers NONE =
      new Numbers() {
        @Override
        public boolean advance(int doc) {
          return false;
        }

        @Override
        public int count() {
          return 0;
        }

        @Override
        public long whole() {
          throw new IllegalStateException("no document has a value");
        }

        @Override
        public double decimal() {
          throw new IllegalStateException("no document has a value");
        }
      };

  /** Advances to a document that is not before the current one; false if it has no value. */
  boolean advance(int doc) throws IOException;

  int count();

  /** Advances to a document and returns its number of values. */
  default int load(int doc) throws IOException {
    return advance(doc) ? count() : 0;
  }

  /** The next value, for sources of integers. */
  long whole() throws IOException;

  /** The next value as a double. */
  double decimal() throws IOException;
}
