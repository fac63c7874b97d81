package io.varve.engine.search;

import io.varve.engine.search.SearchSlices.Slicing;
import io.varve.search.SearchStatistics;
import io.varve.search.SearchStatistics.FieldCounts;
import io.varve.search.SearchStatistics.TermCounts;
import io.varve.search.SearchStatistics.TermKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * The searcher of one search, which may score with statistics of all shards and may profile its
 * queries.
 */
final class ShardIndexSearcher extends IndexSearcher {

  private final SearchStatistics statistics;
  private final @Nullable SearchProfile profile;
  private final Slicing slicing;

  /**
   * @param like provides similarity and caches
   * @param profile for timing, or null
   * @param slicing the division into slices
   */
  ShardIndexSearcher(
      IndexReader reader,
      IndexSearcher like,
      SearchStatistics statistics,
      @Nullable SearchProfile profile,
      Slicing slicing) {
    super(reader, slicing.isOne() ? null : slicing.executor());
    this.slicing = slicing;
    this.statistics = statistics;
    this.profile = profile;
    setSimilarity(like.getSimilarity());
    // Cached results would make the measured times meaningless.
    setQueryCache(profile == null ? like.getQueryCache() : null);
    setQueryCachingPolicy(like.getQueryCachingPolicy());
  }

  /** Called once, when the first search begins. */
  @Override
  protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
    return slicing.slices(leaves);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    byte[] bytes =
        Arrays.copyOfRange(
            term.bytes().bytes, term.bytes().offset, term.bytes().offset + term.bytes().length);
    TermCounts counts = statistics.terms().get(new TermKey(term.field(), bytes));
    return counts == null
        ? super.termStatistics(term, docFreq, totalTermFreq)
        : new TermStatistics(term.bytes(), counts.documents(), counts.occurrences());
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    FieldCounts counts = statistics.fields().get(field);
    return counts == null
        ? super.collectionStatistics(field)
        : new CollectionStatistics(
            field, counts.documents(), counts.withField(), counts.occurrences(), counts.postings());
  }

  @Override
  public Query rewrite(Query original) throws IOException {
    SearchProfile timed = profile;
    if (timed == null) {
      return super.rewrite(original);
    }
    long began = System.nanoTime();
    try {
      return super.rewrite(original);
    } finally {
      timed.rewrote(System.nanoTime() - began);
    }
  }

  @Override
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
    SearchProfile timed = profile;
    return timed == null
        ? super.createWeight(query, scoreMode, boost)
        : timed.weight(query, () -> super.createWeight(query, scoreMode, boost));
  }
}
