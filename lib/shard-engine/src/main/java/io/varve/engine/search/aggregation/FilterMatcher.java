package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** Tells which documents match a query. */
final class FilterMatcher {

  private final Weight weight;

  FilterMatcher(IndexSearcher searcher, Query query) throws IOException {
    this.weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  Leaf leaf(LeafReaderContext leaf) throws IOException {
    Scorer scorer = weight.scorer(leaf);
    return new Leaf(scorer == null ? null : scorer.iterator());
  }

  /** The matcher of one segment; documents must be passed in order. */
  static final class Leaf {
    private final @Nullable DocIdSetIterator matches;

    Leaf(@Nullable DocIdSetIterator matches) {
      this.matches = matches;
    }

    boolean matches(int doc) throws IOException {
      if (matches == null) {
        return false;
      }
      int at = matches.docID();
      if (at < doc) {
        at = matches.advance(doc);
      }
      return at == doc;
    }
  }
}
