package io.varve.engine;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;

/** Reads something from a reader, which is open only during the call. */
@FunctionalInterface
interface ReaderFunction<T> {
  T from(IndexReader reader) throws IOException;
}
