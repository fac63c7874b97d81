package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;

/**
 * Reads the live documents whose seq_nos are in a range, in their order. The skip index of the
 * seq_nos lets it pass over segments and blocks outside the range.
 */
final class SeqNoWindow {

  private SeqNoWindow() {}

  /**
   * @param toSeqNo exclusive
   */
  static List<SearchableCopy.LiveVersion> read(
      IndexReader reader, long fromSeqNo, long toSeqNo, LongPredicate wanted) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    Weight range =
        searcher.createWeight(
            searcher.rewrite(
                NumericDocValuesField.newSlowRangeQuery(MetaFields.SEQ_NO, fromSeqNo, toSeqNo - 1)),
            ScoreMode.COMPLETE_NO_SCORES,
            1);
    List<SearchableCopy.LiveVersion> found = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Scorer scorer = range.scorer(leaf);
      if (scorer != null) {
        read(leaf.reader(), scorer.iterator(), wanted, found);
      }
    }
    found.sort(Comparator.comparingLong(SearchableCopy.LiveVersion::seqNo));
    return found;
  }

  private static void read(
      LeafReader leaf,
      DocIdSetIterator docs,
      LongPredicate wanted,
      List<SearchableCopy.LiveVersion> found)
      throws IOException {
    Bits live = leaf.getLiveDocs();
    NumericDocValues seqNos = values(leaf, MetaFields.SEQ_NO);
    NumericDocValues terms = values(leaf, MetaFields.PRIMARY_TERM);
    StoredFields stored = leaf.storedFields();
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if ((live == null || live.get(doc))
          && seqNos.advanceExact(doc)
          && wanted.test(seqNos.longValue())
          && terms.advanceExact(doc)) {
        String id =
            stored
                .document(doc, Set.of(MetaFields.ID))
                .getBinaryValue(MetaFields.ID)
                .utf8ToString();
        found.add(new SearchableCopy.LiveVersion(id, seqNos.longValue(), terms.longValue()));
      }
    }
  }

  private static NumericDocValues values(LeafReader leaf, String field) throws IOException {
    return Objects.requireNonNull(leaf.getNumericDocValues(field), field);
  }
}
