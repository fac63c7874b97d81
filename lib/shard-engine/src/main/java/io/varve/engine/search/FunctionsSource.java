package io.varve.engine.search;

import io.varve.search.query.ScoreQuery.BoostMode;
import io.varve.search.query.ScoreQuery.FunctionsMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Computes the score of {@code function_score}: combines the values of all functions whose filter
 * matches, and combines the result with the query's score.
 */
final class FunctionsSource extends DoubleValuesSource {

  /**
   * @param filter null matches all documents
   */
  record Part(@Nullable Query filter, ScoreFunction function, @Nullable Float weight) {
    double factor() {
      return weight == null ? 1 : weight;
    }
  }

  private final List<Part> parts;
  private final FunctionsMode mode;
  private final BoostMode boostMode;
  private final float maxBoost;
  private final List<@Nullable Weight> filters;

  FunctionsSource(List<Part> parts, FunctionsMode mode, BoostMode boostMode, float maxBoost) {
    this(parts, mode, boostMode, maxBoost, List.of());
  }

  private FunctionsSource(
      List<Part> parts,
      FunctionsMode mode,
      BoostMode boostMode,
      float maxBoost,
      List<@Nullable Weight> filters) {
    this.parts = List.copyOf(parts);
    this.mode = mode;
    this.boostMode = boostMode;
    this.maxBoost = maxBoost;
    this.filters = filters;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) throws IOException {
    List<@Nullable Weight> weights = new ArrayList<>();
    for (Part part : parts) {
      Query filter = part.filter;
      weights.add(
          filter == null
              ? null
              : searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1));
    }
    return new FunctionsSource(parts, mode, boostMode, maxBoost, weights);
  }

  @Override
  public boolean needsScores() {
    return boostMode != BoostMode.REPLACE;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return false;
  }

  /** Tells whether a document passes a filter; called with ascending documents. */
  private static final class Passing {
    private final @Nullable DocIdSetIterator approximation;
    private final @Nullable TwoPhaseIterator exact;
    private final boolean all;

    Passing(@Nullable Weight filter, LeafReaderContext leaf) throws IOException {
      Scorer scorer = filter == null ? null : filter.scorer(leaf);
      all = filter == null;
      exact = scorer == null ? null : scorer.twoPhaseIterator();
      approximation =
          scorer == null ? null : exact == null ? scorer.iterator() : exact.approximation();
    }

    boolean test(int doc) throws IOException {
      DocIdSetIterator documents = approximation;
      if (documents == null) {
        return all;
      }
      if (documents.docID() < doc) {
        documents.advance(doc);
      }
      return documents.docID() == doc && (exact == null || exact.matches());
    }
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, @Nullable DoubleValues scores)
      throws IOException {
    List<ScoreFunction.Values> values = new ArrayList<>();
    List<Passing> passing = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      values.add(parts.get(i).function.values(leaf));
      passing.add(new Passing(filters.get(i), leaf));
    }
    return new DoubleValues() {
      private int at;

      @Override
      public double doubleValue() throws IOException {
        double score = scores != null && scores.advanceExact(at) ? scores.doubleValue() : 1;
        return combined(score, factor());
      }

      private double factor() throws IOException {
        Sum sum = new Sum(mode);
        for (int i = 0; i < parts.size() && !sum.done(); i++) {
          if (passing.get(i).test(at)) {
            double weight = parts.get(i).factor();
            sum.add(values.get(i).at(at) * weight, weight);
          }
        }
        return sum.result();
      }

      @Override
      public boolean advanceExact(int doc) {
        at = doc;
        return true;
      }
    };
  }

  private double combined(double score, double factor) {
    double bounded = Math.min(factor, maxBoost);
    return switch (boostMode) {
      case MULTIPLY -> score * bounded;
      case REPLACE -> bounded;
      case SUM -> score + bounded;
      case AVG -> (score + bounded) / 2;
      case MAX -> Math.max(score, bounded);
      case MIN -> Math.min(score, bounded);
    };
  }

  /** Combines the values of several functions; 1 if there are none. */
  private static final class Sum {
    private final FunctionsMode mode;
    private double result = 1;
    private double weights;
    private int count;

    Sum(FunctionsMode mode) {
      this.mode = mode;
    }

    void add(double value, double weight) {
      result =
          count == 0
              ? value
              : switch (mode) {
                case MULTIPLY -> result * value;
                case SUM, AVG -> result + value;
                case FIRST -> result;
                case MAX -> Math.max(result, value);
                case MIN -> Math.min(result, value);
              };
      weights += weight;
      count++;
    }

    boolean done() {
      return mode == FunctionsMode.FIRST && count > 0;
    }

    double result() {
      return mode == FunctionsMode.AVG && count > 0 && weights != 0 ? result / weights : result;
    }
  }

  @Override
  public Explanation explain(LeafReaderContext leaf, int doc, Explanation score)
      throws IOException {
    DoubleValues values = getValues(leaf, constantly(score.getValue().doubleValue()));
    values.advanceExact(doc);
    return Explanation.match(
        (float) values.doubleValue(),
        "function score, score mode ["
            + mode.name().toLowerCase(Locale.ROOT)
            + "], boost mode ["
            + boostMode.name().toLowerCase(Locale.ROOT)
            + "]",
        score);
  }

  private static DoubleValues constantly(double value) {
    return new DoubleValues() {
      @Override
      public double doubleValue() {
        return value;
      }

      @Override
      public boolean advanceExact(int doc) {
        return true;
      }
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FunctionsSource source
        && parts.equals(source.parts)
        && mode == source.mode
        && boostMode == source.boostMode
        && maxBoost == source.maxBoost;
  }

  @Override
  public int hashCode() {
    return Objects.hash(parts, mode, boostMode, maxBoost);
  }

  @Override
  public String toString() {
    return "functions" + parts;
  }
}
