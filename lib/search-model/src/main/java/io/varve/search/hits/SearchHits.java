package io.varve.search.hits;

import java.util.List;

/**
 * The hits of a response with their total.
 *
 * @param total {@link #NOT_COUNTED} when counting was switched off
 * @param exact false when there may be more
 * @param maxScore NaN for none
 */
public record SearchHits(long total, boolean exact, float maxScore, List<IndexHit> hits) {

  public static final long NOT_COUNTED = -1;

  public SearchHits {
    hits = List.copyOf(hits);
  }
}
