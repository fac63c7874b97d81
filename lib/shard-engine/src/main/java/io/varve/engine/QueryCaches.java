package io.varve.engine;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.LRUQueryCache;

/** The query cache, shared by all copies of a process. */
public final class QueryCaches {

  private QueryCaches() {}

  /** Removes the entries of the segments that are visible on the copy. */
  public static void clear(SearchableCopy copy) {
    try (SearchView view = copy.acquireView()) {
      if (view.searcher().getQueryCache() instanceof LRUQueryCache cache) {
        for (LeafReaderContext leaf : view.searcher().getIndexReader().leaves()) {
          IndexReader.CacheHelper segment = leaf.reader().getCoreCacheHelper();
          if (segment != null) {
            cache.clearCoreCacheKey(segment.getKey());
          }
        }
      }
    }
  }
}
