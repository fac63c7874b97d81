package io.varve.host.search;

import io.varve.engine.QueryCaches;
import io.varve.engine.SearchView;
import io.varve.engine.SearchableCopy;
import io.varve.engine.fielddata.FielddataMemory;

/** The caches that searches of a node share. */
public record NodeCaches(RequestCache requests, FielddataMemory fielddata) {

  /** Clears the cached entries of the copy's current reader. */
  void clear(SearchableCopy copy, ClearedCaches which) {
    if (which.query()) {
      QueryCaches.clear(copy);
    }
    try (SearchView view = copy.acquireView()) {
      if (which.request()) {
        requests.clear(view.searcher().getIndexReader());
      }
      if (which.fielddata()) {
        fielddata.clear(view.searcher().getIndexReader(), which::meansField);
      }
    }
  }
}
