package io.varve.engine.search.aggregation;

import java.io.IOException;

/** The numbers of the documents of one segment, of each document in ascending order. */
interface Numbers {

  /** None has any. */
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

  /** Goes to a document that is not before the last one; false when it has no value. */
  boolean advance(int doc) throws IOException;

  int count();

  /** Goes to a document and gives how many values it has. */
  default int load(int doc) throws IOException {
    return advance(doc) ? count() : 0;
  }

  /** The next value as it is, of a source of whole numbers. */
  long whole() throws IOException;

  /** The next value. */
  double decimal() throws IOException;
}
