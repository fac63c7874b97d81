package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.search.Scorable;

/** Takes the documents of one segment, in their order, each with the bucket that it falls into. */
interface LeafBuckets {

  LeafBuckets NONE = (doc, bucket) -> {};

  void collect(int doc, int bucket) throws IOException;

  /** Comes before the first document, if scores are wanted. */
  default void scorer(Scorable scorer) throws IOException {}

  /** Comes after the last document. */
  default void finish() throws IOException {}
}
