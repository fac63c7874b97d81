package io.varve.engine;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;

/**
 * Prepares data that searches need of a new reader before the reader becomes visible. On failure
 * the first search prepares it instead.
 */
@FunctionalInterface
public interface ReaderWarmer {

  ReaderWarmer NONE = (reader, meters) -> false;

  /**
   * Called before the reader becomes visible.
   *
   * @return whether there was anything to do
   */
  boolean warm(IndexReader reader, SearchMeters meters) throws IOException;
}
