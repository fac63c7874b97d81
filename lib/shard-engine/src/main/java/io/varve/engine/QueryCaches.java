package io.varve.engine;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.LRUQueryCache;

/** What searches keep of the segments of copies; all copies of a process share one cache. */
public final class QueryCaches {

  private QueryCaches() {}

  /** Forgets what was kept of the segments that the copy shows. */
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
