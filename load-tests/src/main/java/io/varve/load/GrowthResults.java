package io.varve.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The costs of the sizes of one part of {@code bench growth machine}.
 *
 * @param rounds the counted rounds of each size, in order
 * @param weights of the sizes that were weighed; of 0 without any index
 */
record GrowthResults(Map<Integer, List<Round>> rounds, Map<Integer, Weight> weights) {

  /**
   * A round of one size.
   *
   * @param created NaN if the creation was not timed
   */
  record Round(ProcessCosts costs, IndexLayout.Created created) {}

  GrowthResults {
    rounds = new TreeMap<>(rounds);
    weights = new TreeMap<>(weights);
  }

  GrowthResults() {
    this(Map.of(), Map.of());
  }

  void add(int size, Round round) {
    rounds.computeIfAbsent(size, _ -> new ArrayList<>()).add(round);
  }

  void weighed(int size, Weight weight) {
    weights.put(size, weight);
  }

  /** The rounds of the smallest size, to which the others are compared. */
  List<Round> smallest() {
    return rounds.values().iterator().next();
  }

  /** The kinds of processes that documents cost CPU time. */
  List<String> kinds() {
    TreeSet<String> kinds = new TreeSet<>();
    rounds.values().stream()
        .flatMap(List::stream)
        .forEach(round -> kinds.addAll(round.costs().per100k().keySet()));
    return List.copyOf(kinds);
  }

  /** The kinds of processes that were weighed. */
  List<String> weighedKinds() {
    TreeSet<String> kinds = new TreeSet<>();
    weights.values().forEach(weight -> kinds.addAll(weight.byKind().keySet()));
    return List.copyOf(kinds);
  }
}
