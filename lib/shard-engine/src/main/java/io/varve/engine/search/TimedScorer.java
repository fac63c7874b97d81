package io.varve.engine.search;

import io.varve.engine.search.SearchProfile.Node;
import io.varve.engine.search.SearchProfile.Step;
import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.jspecify.annotations.Nullable;

/** Times each step of a scorer. */
final class TimedScorer extends Scorer {

  private final Scorer in;
  private final Node node;

  TimedScorer(Scorer in, Node node) {
    this.in = in;
    this.node = node;
  }

  @Override
  public int docID() {
    return in.docID();
  }

  @Override
  public float score() throws IOException {
    long began = System.nanoTime();
    float score = in.score();
    node.add(Step.SCORE, began);
    return score;
  }

  @Override
  public float getMaxScore(int upTo) throws IOException {
    long began = System.nanoTime();
    float score = in.getMaxScore(upTo);
    node.add(Step.COMPUTE_MAX_SCORE, began);
    return score;
  }

  @Override
  public int advanceShallow(int target) throws IOException {
    return node.timed(Step.SHALLOW_ADVANCE, () -> in.advanceShallow(target));
  }

  @Override
  public void setMinCompetitiveScore(float minimum) throws IOException {
    long began = System.nanoTime();
    in.setMinCompetitiveScore(minimum);
    node.add(Step.SET_MIN_COMPETITIVE_SCORE, began);
  }

  @Override
  public DocIdSetIterator iterator() {
    return new Documents(in.iterator(), node);
  }

  @Override
  public @Nullable TwoPhaseIterator twoPhaseIterator() {
    TwoPhaseIterator inner = in.twoPhaseIterator();
    if (inner == null) {
      return null;
    }
    return new TwoPhaseIterator(new Documents(inner.approximation(), node)) {
      @Override
      public boolean matches() throws IOException {
        long began = System.nanoTime();
        boolean matches = inner.matches();
        node.add(Step.MATCH, began);
        return matches;
      }

      @Override
      public float matchCost() {
        return inner.matchCost();
      }
    };
  }

  private static final class Documents extends DocIdSetIterator {
    private final DocIdSetIterator in;
    private final Node node;

    Documents(DocIdSetIterator in, Node node) {
      this.in = in;
      this.node = node;
    }

    @Override
    public int docID() {
      return in.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return node.timed(Step.NEXT_DOC, in::nextDoc);
    }

    @Override
    public int advance(int target) throws IOException {
      return node.timed(Step.ADVANCE, () -> in.advance(target));
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
