package io.varve.load;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A histogram in the form that nodes report: bucket 0 counts durations below 1 ms, bucket n
 * durations of 2^(n-1) to 2^n ms.
 */
record PowerOfTwoHistogram(Map<Integer, Long> buckets) {

  PowerOfTwoHistogram {
    buckets = Map.copyOf(buckets);
  }

  /** The sum of the histograms with that name in an answer. */
  static PowerOfTwoHistogram sum(JsonNode answer, String name) {
    Map<Integer, Long> sum = new TreeMap<>();
    for (JsonNode histogram : answer.findValues(name)) {
      histogram
          .path("buckets")
          .properties()
          .forEach(bucket ->
              sum.merge(Integer.valueOf(bucket.getKey()), bucket.getValue().asLong(), Long::sum));
    }
    return new PowerOfTwoHistogram(sum);
  }

  PowerOfTwoHistogram since(PowerOfTwoHistogram before) {
    Map<Integer, Long> difference = new TreeMap<>(buckets);
    before.buckets.forEach((bucket, count) -> difference.merge(bucket, -count, Long::sum));
    return new PowerOfTwoHistogram(difference);
  }

  /** The percentages above 1, 8 and 64 ms. */
  String percentages() {
    return String.format(
        Locale.ROOT, "%.0f/%.0f/%.0f", percentFrom(1), percentFrom(4), percentFrom(7));
  }

  double percentFrom(int bucket) {
    long all = buckets.values().stream().mapToLong(Long::longValue).sum();
    long longer =
        buckets.entrySet().stream()
            .filter(entry -> entry.getKey() >= bucket)
            .mapToLong(Map.Entry::getValue)
            .sum();
    return all == 0 ? 0 : 100.0 * longer / all;
  }
}
