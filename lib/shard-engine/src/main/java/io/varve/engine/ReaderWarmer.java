package io.varve.engine;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;

/**
 * Makes ready what searches will ask of a new reader, before they see it. What fails here is made
 * by the search that asks for it.
 */
@FunctionalInterface
public interface ReaderWarmer {

  ReaderWarmer NONE = (reader, meters) -> false;

  /**
   * Called by whoever shows the reader.
   *
   * @return whether there was anything to do
   */
  boolean warm(IndexReader reader, SearchMeters meters) throws IOException;
}
