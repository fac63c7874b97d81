package io.varve.engine;

import org.apache.lucene.search.IndexSearcher;

/**
 * What searches see at one moment. It stays as it is, and its files stay, until it is closed.
 *
 * @param visibleSeqNo every operation up to this one is in it
 */
public record SearchView(IndexSearcher searcher, long generation, long visibleSeqNo)
    implements AutoCloseable {

  @Override
  public void close() {
    Closing.release(searcher.getIndexReader());
  }
}
