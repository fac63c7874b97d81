package io.varve.coordinator.rest.index;

import java.util.Map;

/**
 * Computes the average number of slices of concurrent segment searches. Copies report numbers of
 * slices, which can be summed; the complete sum is replaced by the average.
 */
final class SliceShare {

  /** The field with the number of slices, in sections that are not complete yet. */
  static final String SLICES = "concurrent_slices";

  private static final String AVERAGE = "concurrent_avg_slice_count";

  private SliceShare() {}

  /** Replaces the sums by averages, for all searches and for each group. */
  static Map<String, Object> withAverages(Map<String, Object> sections) {
    if (sections.get("search") instanceof Map<?, ?> search) {
      finish(search);
      if (search.get("groups") instanceof Map<?, ?> groups) {
        groups.values().forEach(group -> finish((Map<?, ?>) group));
      }
    }
    return sections;
  }

  @SuppressWarnings("unchecked")
  private static void finish(Map<?, ?> phases) {
    average((Map<String, Object>) phases);
    phases.remove(SLICES);
  }

  /** Adds the average to the sums in these phases. */
  static void average(Map<String, Object> phases) {
    if (phases.get(SLICES) instanceof Number slices
        && phases.get("concurrent_query_total") instanceof Number queries) {
      long total = queries.longValue();
      phases.put(AVERAGE, total == 0 ? 0.0 : slices.doubleValue() / total);
    }
  }
}
