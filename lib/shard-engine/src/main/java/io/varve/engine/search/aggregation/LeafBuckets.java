package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.search.Scorable;

/** Receives the documents of one segment in order, each with its bucket. */
interface LeafBuckets {

  LeafBuckets NONE =
      new LeafBuckets() {
        @Override
        public void collect(int doc, int bucket) {}

        @Override
        public void collectAll(int[] docs, int[] buckets, int size) {}
      };

  /** Maximum number of documents per batch. */
  int BATCH = 512;

  void collect(int doc, int bucket) throws IOException;

  /**
   * Receives several documents in order, with their buckets at the same indices. The arrays belong
   * to the caller and must be neither modified nor kept.
   */
  default void collectAll(int[] docs, int[] buckets, int size) throws IOException {
    for (int i = 0; i < size; i++) {
      collect(docs[i], buckets[i]);
    }
  }

  /** Called before the first document, if scores are needed. */
  default void scorer(Scorable scorer) throws IOException {}

  /** Called after the last document. */
  default void finish() throws IOException {}
}
