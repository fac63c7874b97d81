package io.varve.search;

import io.varve.search.query.Collapse;
import io.varve.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the hits that were found are boosted, scored again and grouped.
 *
 * @param collapse null for none
 * @param rescores applied one after the other
 * @param indexBoosts factors for the scores of an index; the first entry that matches it applies
 * @param profile whether the answer reports where time was spent
 */
public record Ranking(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    List<IndexBoost> indexBoosts,
    boolean profile) {

  public static final Ranking PLAIN = new Ranking(null, List.of(), List.of(), false);

  /** How the original score and the rescore query's score are combined. */
  public enum ScoreMode {
    TOTAL,
    MULTIPLY,
    AVG,
    MAX,
    MIN
  }

  /** Scores the best {@code window} hits of each shard again. */
  public record Rescore(
      int window, Query query, float queryWeight, float rescoreWeight, ScoreMode mode) {}

  /**
   * @param index an index, an alias or a pattern of either
   */
  public record IndexBoost(String index, float boost) {}

  public Ranking {
    rescores = List.copyOf(rescores);
    indexBoosts = List.copyOf(indexBoosts);
  }
}
