package io.varve.engine;

import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Selects documents by a query, which is translated for each reader. */
@FunctionalInterface
public interface Matching {

  /** All documents. */
  Matching ALL = _ -> null;

  /** The query in Lucene's form; null for all documents. */
  @Nullable Query in(IndexSearcher searcher);
}
