package io.varve.engine.search;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;

/**
 * Counts hits without collecting them: from a segment's own figures where it can, document by
 * document where it can't, and no further than asked.
 */
final class HitCounter {

  private HitCounter() {}

  /** The number of hits; more than {@code limit} means at least so many. */
  static long count(IndexSearcher searcher, Query query, long limit) throws IOException {
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    long count = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      int known = weight.count(leaf);
      count += known >= 0 ? known : walk(weight, leaf, limit - count);
      if (count > limit) {
        return count;
      }
    }
    return count;
  }

  private static long walk(Weight weight, LeafReaderContext leaf, long limit) throws IOException {
    Scorer scorer = weight.scorer(leaf);
    if (scorer == null) {
      return 0;
    }
    Bits live = leaf.reader().getLiveDocs();
    DocIdSetIterator documents = scorer.iterator();
    long count = 0;
    while (count <= limit && documents.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      if (live == null || live.get(documents.docID())) {
        count++;
      }
    }
    return count;
  }
}
