package io.varve.selection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adaptive replica selection as in Elasticsearch and OpenSearch.
 *
 * <p>Nodes without statistics rank first and equal; ties keep rotation order. After ranking, the
 * statistics of the losers are adjusted towards those of the winner, and the winner counts one more
 * request of this search. Neither happens if the winner has no statistics.
 */
final class FormulaRanker implements Ranker {

  private final Formula formula;

  FormulaRanker(Formula formula) {
    this.formula = formula;
  }

  @Override
  public Ranked rank(List<Copy> turn, Candidates candidates) {
    if (turn.size() < 2) {
      return Ranked.uncounted(turn);
    }
    Map<String, PublishedStats.Seen> seen = seen(turn, candidates);
    int nodes = candidates.nodes().ranked();
    Map<String, Double> ranks = new HashMap<>();
    for (Copy copy : turn) {
      PublishedStats.Seen stats = seen.get(copy.node());
      ranks.put(
          copy.node(),
          stats == null
              ? Double.NEGATIVE_INFINITY
              : stats.rank(formula, candidates.outstanding(copy), nodes));
    }
    List<Copy> sorted = new ArrayList<>(turn);
    sorted.sort(Comparator.comparingDouble(copy -> ranks.get(copy.node())));
    return adjusted(sorted, seen, candidates);
  }

  private static Map<String, PublishedStats.Seen> seen(List<Copy> turn, Candidates candidates) {
    Map<String, PublishedStats.Seen> seen = new HashMap<>();
    for (Copy copy : turn) {
      NodeView view = candidates.view(copy);
      if (view.ranksByFormula()) {
        seen.put(copy.node(), view.published());
      }
    }
    return seen;
  }

  private Ranked adjusted(
      List<Copy> sorted, Map<String, PublishedStats.Seen> seen, Candidates candidates) {
    PublishedStats.Seen winner = seen.get(sorted.getFirst().node());
    if (winner == null || !sorted.getFirst().started()) {
      return Ranked.uncounted(sorted);
    }
    for (Copy copy : sorted.subList(1, sorted.size())) {
      PublishedStats.Seen loser = seen.get(copy.node());
      if (loser != null) {
        candidates.view(copy).adjust(winner, loser, formula);
      }
    }
    return Ranked.counted(sorted);
  }
}
