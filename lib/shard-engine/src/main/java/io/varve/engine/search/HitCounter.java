package io.varve.engine.search;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Counts hits without collecting them: from segment statistics where possible, otherwise in blocks
 * of documents, and not far beyond the requested limit. It respects the search's timeout like other
 * collectors.
 */
final class HitCounter implements CollectorManager<HitCounter.Counting, Long> {

  private final AtomicLong count = new AtomicLong();
  private final long limit;

  private HitCounter(long limit) {
    this.limit = limit;
  }

  /** The number of hits; a result above {@code limit} is a lower bound. */
  static long count(IndexSearcher searcher, Query query, long limit) throws IOException {
    return searcher.search(query, new HitCounter(limit));
  }

  @Override
  public Counting newCollector() {
    return new Counting();
  }

  @Override
  public Long reduce(Collection<Counting> collectors) {
    return count.get();
  }

  /** The count of one slice. */
  final class Counting implements Collector {
    private @Nullable Weight weight;

    @Override
    public void setWeight(Weight newWeight) {
      weight = newWeight;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      if (count.get() > limit) {
        throw new CollectionTerminatedException();
      }
      Weight ofQuery = weight;
      int known = ofQuery == null ? -1 : ofQuery.count(leaf);
      if (known >= 0) {
        count.addAndGet(known);
        throw new CollectionTerminatedException();
      }
      return new LeafCollector() {
        @Override
        public void setScorer(Scorable scorer) {
          // No scores are needed.
        }

        @Override
        public void collect(int doc) {
          add(1);
        }

        @Override
        public void collect(DocIdStream documents) throws IOException {
          add(documents.count());
        }

        @Override
        public void collectRange(int from, int to) {
          add(to - from);
        }
      };
    }

    private void add(long more) {
      if (count.addAndGet(more) > limit) {
        throw new CollectionTerminatedException();
      }
    }
  }
}
