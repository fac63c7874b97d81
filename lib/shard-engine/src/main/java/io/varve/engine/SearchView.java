package io.varve.engine;

import org.apache.lucene.search.IndexSearcher;

/**
 * A point-in-time view for searches. It is immutable, and its files are kept until it is closed.
 *
 * @param visibleSeqNo every operation up to this one is visible
 */
public record SearchView(IndexSearcher searcher, long generation, long visibleSeqNo)
    implements AutoCloseable {

  @Override
  public void close() {
    Closing.release(searcher.getIndexReader());
  }
}
