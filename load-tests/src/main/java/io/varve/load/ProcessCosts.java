package io.varve.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * CPU seconds of a cluster's processes per 100,000 documents.
 *
 * @param per100k by kind of process
 */
record ProcessCosts(double documentsPerSecond, Map<String, Double> per100k) {

  ProcessCosts {
    per100k = new TreeMap<>(per100k);
  }

  /**
   * The costs of a load.
   *
   * @param before CPU seconds by kind of process at the start of the load
   * @param after the same at its end
   */
  static ProcessCosts of(
      long documents, double seconds, Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> per100k = new TreeMap<>();
    after.forEach((kind, used) ->
        per100k.put(kind, (used - before.getOrDefault(kind, 0.0)) * 1e5 / documents));
    return new ProcessCosts(documents / seconds, per100k);
  }

  /** The cost of one kind of process; NaN if there is none. */
  double per100k(String kind) {
    return per100k.getOrDefault(kind, Double.NaN);
  }

  double totalPer100k() {
    return per100k.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double brokersPer100k() {
    return per100k(CcrPair.BROKER);
  }

  /** The total cost without the brokers. */
  double nodesPer100k() {
    return per100k.entrySet().stream()
        .filter(cost -> !cost.getKey().equals(CcrPair.BROKER))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
