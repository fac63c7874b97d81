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
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

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
      IndexReader reader, long fromSeqNo, long toSeqNo, LongPredicate wanted, Matching matching)
      throws IOException {
    IndexSearcher searcher = searcher(reader);
    Weight range =
        weight(
            searcher,
            within(
                NumericDocValuesField.newSlowRangeQuery(MetaFields.SEQ_NO, fromSeqNo, toSeqNo - 1),
                matching.in(searcher)));
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

  /** The highest seq_no of any document, including deleted ones; -1 for none. */
  static long highest(IndexReader reader) throws IOException {
    long highest = -1;
    for (LeafReaderContext leaf : reader.leaves()) {
      DocValuesSkipper skipper = leaf.reader().getDocValuesSkipper(MetaFields.SEQ_NO);
      NumericDocValues seqNos = leaf.reader().getNumericDocValues(MetaFields.SEQ_NO);
      if (skipper != null) {
        highest = Math.max(highest, skipper.maxValue());
      } else if (seqNos != null) {
        while (seqNos.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          highest = Math.max(highest, seqNos.longValue());
        }
      }
    }
    return highest;
  }

  private static IndexSearcher searcher(IndexReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  private static Weight weight(IndexSearcher searcher, Query query) throws IOException {
    return searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  private static Query within(Query range, @Nullable Query query) {
    return query == null
        ? range
        : new BooleanQuery.Builder()
            .add(range, BooleanClause.Occur.FILTER)
            .add(query, BooleanClause.Occur.FILTER)
            .build();
  }

  /** The number of live, matching documents whose seq_no is accepted; nested objects have none. */
  static long count(IndexReader reader, LongPredicate wanted, Matching matching)
      throws IOException {
    IndexSearcher searcher = searcher(reader);
    Query query = matching.in(searcher);
    Weight weight = query == null ? null : weight(searcher, query);
    long count = 0;
    for (LeafReaderContext context : reader.leaves()) {
      NumericDocValues seqNos = context.reader().getNumericDocValues(MetaFields.SEQ_NO);
      Scorer scorer = weight == null ? null : weight.scorer(context);
      if (seqNos != null && (weight == null || scorer != null)) {
        count +=
            count(
                context.reader().getLiveDocs(),
                seqNos,
                scorer == null
                    ? DocIdSetIterator.all(context.reader().maxDoc())
                    : scorer.iterator(),
                wanted);
      }
    }
    return count;
  }

  private static long count(
      @Nullable Bits live, NumericDocValues seqNos, DocIdSetIterator docs, LongPredicate wanted)
      throws IOException {
    long count = 0;
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if ((live == null || live.get(doc))
          && seqNos.advanceExact(doc)
          && wanted.test(seqNos.longValue())) {
        count++;
      }
    }
    return count;
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
