package io.varve.search;

import io.varve.search.query.Collapse;
import io.varve.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of hits once they are found.
 *
 * @param collapse null for none
 * @param rescores applied one after the other
 * @param indexBoosts what the scores of an index are multiplied by; the first that names it counts
 * @param profile the answer says where the time went
 */
public record Ranking(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    List<IndexBoost> indexBoosts,
    boolean profile) {

  public static final Ranking PLAIN = new Ranking(null, List.of(), List.of(), false);

  /** How an old score and a new one become one. */
  public enum ScoreMode {
    TOTAL,
    MULTIPLY,
    AVG,
    MAX,
    MIN
  }

  /** The best {@code window} hits of each shard are scored again. */
  public record Rescore(
      int window, Query query, float queryWeight, float rescoreWeight, ScoreMode mode) {}

  /** An index, alias or pattern of either. */
  public record IndexBoost(String index, float boost) {}

  public Ranking {
    rescores = List.copyOf(rescores);
    indexBoosts = List.copyOf(indexBoosts);
  }
}
