package io.varve.engine.search;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** Restricts a query to documents with a minimum score. */
final class MinScoreQuery extends Query {

  private final Query inner;
  private final float minimum;

  MinScoreQuery(Query inner, float minimum) {
    this.inner = inner;
    this.minimum = minimum;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = inner.rewrite(searcher);
    return rewritten.equals(inner) ? this : new MinScoreQuery(rewritten, minimum);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    // Matching depends on the score, even if no scores are requested.
    Weight weight = inner.createWeight(searcher, ScoreMode.COMPLETE, boost);
    return new FilterWeight(this, weight) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        Scorer scorer = in.scorer(leaf);
        return scorer == null ? null : new DefaultScorerSupplier(new Bounded(scorer, minimum));
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
        Explanation explanation = in.explain(leaf, doc);
        return explanation.isMatch() && explanation.getValue().floatValue() < minimum
            ? Explanation.noMatch("the score is below " + minimum, explanation)
            : explanation;
      }

      @Override
      public int count(LeafReaderContext leaf) {
        return -1;
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  private static final class Bounded extends Scorer {
    private final Scorer in;
    private final float minimum;

    Bounded(Scorer in, float minimum) {
      this.in = in;
      this.minimum = minimum;
    }

    @Override
    public int docID() {
      return in.docID();
    }

    @Override
    public float score() throws IOException {
      return in.score();
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
      return in.getMaxScore(upTo);
    }

    @Override
    public DocIdSetIterator iterator() {
      return TwoPhaseIterator.asDocIdSetIterator(twoPhaseIterator());
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
      TwoPhaseIterator inner = in.twoPhaseIterator();
      return new TwoPhaseIterator(inner == null ? in.iterator() : inner.approximation()) {
        @Override
        public boolean matches() throws IOException {
          return (inner == null || inner.matches()) && in.score() >= minimum;
        }

        @Override
        public float matchCost() {
          return 1000;
        }
      };
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    inner.visit(visitor);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MinScoreQuery query
        && inner.equals(query.inner)
        && minimum == query.minimum;
  }

  @Override
  public int hashCode() {
    return Objects.hash(inner, minimum);
  }

  @Override
  public String toString(String field) {
    return inner.toString(field) + " with a score of at least " + minimum;
  }
}
