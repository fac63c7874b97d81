package io.varve.search;

import io.varve.search.query.Collapse;
import io.varve.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a search that boost, rescore and group the hits that were found.
 *
 * @param collapse null for none
 * @param rescores applied in sequence
 * @param indexBoosts factors for the scores of an index; the first entry that matches it applies
 * @param profile whether the response reports the time of each part of the query
 */
public record Ranking(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    List<IndexBoost> indexBoosts,
    boolean profile) {

  public static final Ranking PLAIN = new Ranking(null, List.of(), List.of(), false);

  /** The function that combines the original score and the rescore query's score. */
  public enum ScoreMode {
    TOTAL,
    MULTIPLY,
    AVG,
    MAX,
    MIN
  }

  /** Rescores the best {@code window} hits of each shard. */
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
