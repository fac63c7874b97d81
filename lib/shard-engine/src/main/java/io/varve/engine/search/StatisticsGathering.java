package io.varve.engine.search;

import io.varve.search.SearchStatistics;
import io.varve.search.SearchStatistics.FieldCounts;
import io.varve.search.SearchStatistics.TermCounts;
import io.varve.search.SearchStatistics.TermKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermStatistics;
import org.jspecify.annotations.Nullable;

/** Records the term statistics that queries request when their weights are created. */
final class StatisticsGathering extends IndexSearcher {

  private final Map<TermKey, TermCounts> terms = new HashMap<>();
  private final Map<String, FieldCounts> fields = new HashMap<>();

  StatisticsGathering(IndexSearcher like) {
    super(like.getIndexReader());
    setSimilarity(like.getSimilarity());
    setQueryCache(null);
  }

  void add(Query query) throws IOException {
    createWeight(rewrite(query), ScoreMode.COMPLETE, 1);
  }

  SearchStatistics statistics() {
    return new SearchStatistics(terms, fields);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    byte[] bytes =
        Arrays.copyOfRange(
            term.bytes().bytes, term.bytes().offset, term.bytes().offset + term.bytes().length);
    terms.put(new TermKey(term.field(), bytes), new TermCounts(docFreq, totalTermFreq));
    return super.termStatistics(term, docFreq, totalTermFreq);
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics counts = super.collectionStatistics(field);
    if (counts != null) {
      fields.put(
          field,
          new FieldCounts(
              counts.maxDoc(), counts.docCount(), counts.sumTotalTermFreq(), counts.sumDocFreq()));
    }
    return counts;
  }
}
