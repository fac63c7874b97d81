package io.varve.engine.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FilterLeafCollector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.jspecify.annotations.Nullable;

/**
 * Passes on at most a given number of documents, and only those with a minimum score. No documents
 * can be skipped because of their scores.
 */
final class BoundedCollecting<C extends Collector, T>
    implements CollectorManager<BoundedCollecting.Bounded<C>, T> {

  /** A collector with its bounds. */
  static final class Bounded<C extends Collector> implements Collector {
    private final C inner;
    private final @Nullable Float minScore;
    private final AtomicInteger left;

    Bounded(C inner, @Nullable Float minScore, AtomicInteger left) {
      this.inner = inner;
      this.minScore = minScore;
      this.left = left;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext context) throws IOException {
      if (left.get() <= 0) {
        left.set(-1);
        throw new CollectionTerminatedException();
      }
      return new FilterLeafCollector(inner.getLeafCollector(context)) {
        private @Nullable Scorable scorer;

        @Override
        public void setScorer(Scorable newScorer) throws IOException {
          scorer = newScorer;
          super.setScorer(newScorer);
        }

        @Override
        public void collect(int doc) throws IOException {
          Scorable scored = scorer;
          if (minScore != null && (scored == null || scored.score() < minScore)) {
            return;
          }
          if (left.getAndDecrement() <= 0) {
            throw new CollectionTerminatedException();
          }
          super.collect(doc);
        }
      };
    }

    @Override
    public ScoreMode scoreMode() {
      return minScore != null || inner.scoreMode().needsScores()
          ? ScoreMode.COMPLETE
          : ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private final CollectorManager<C, T> inner;
  private final @Nullable Float minScore;
  private final AtomicInteger left;

  /**
   * @param most maximum number of documents, 0 for unlimited
   */
  BoundedCollecting(CollectorManager<C, T> inner, @Nullable Float minScore, int most) {
    this.inner = inner;
    this.minScore = minScore;
    this.left = new AtomicInteger(most == 0 ? Integer.MAX_VALUE : most);
  }

  @Override
  public Bounded<C> newCollector() throws IOException {
    return new Bounded<>(inner.newCollector(), minScore, left);
  }

  @Override
  public T reduce(Collection<Bounded<C>> collectors) throws IOException {
    List<C> unwrapped = new ArrayList<>(collectors.size());
    collectors.forEach(collector -> unwrapped.add(collector.inner));
    return inner.reduce(unwrapped);
  }

  /**
   * Whether documents, or segments that may contain matches, were skipped because the maximum was
   * reached.
   */
  boolean cut() {
    return left.get() < 0;
  }
}
