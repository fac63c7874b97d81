package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.search.Scorable;

/** Takes the documents of one segment, in their order, each with the bucket that it falls into. */
interface LeafBuckets {

  LeafBuckets NONE =
      new LeafBuckets() {
        @Override
        public void collect(int doc, int bucket) {
          // Nobody is told.
        }

        @Override
        public void collectAll(int[] docs, int[] buckets, int size) {
          // Nobody is told.
        }
      };

  /** Documents that are given at once, at most. */
  int BATCH = 512;

  void collect(int doc, int bucket) throws IOException;

  /**
   * Takes several documents, in their order, each with the bucket at the same place. The arrays are
   * the caller's: they are not changed, and not kept.
   */
  default void collectAll(int[] docs, int[] buckets, int size) throws IOException {
    for (int i = 0; i < size; i++) {
      collect(docs[i], buckets[i]);
    }
  }

  /** Comes before the first document, if scores are wanted. */
  default void scorer(Scorable scorer) throws IOException {}

  /** Comes after the last document. */
  default void finish() throws IOException {}
}
