package io.varve.shard.replicated;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The outcomes of the queries for single records since the process started.
 *
 * @param success all copies hold the record
 * @param error a copy holds another version
 * @param timeout not all copies answered in time
 * @param buckets the durations of all of them, see {@link DurationHistogram}
 */
public record RereplicationCounts(long success, long error, long timeout, List<Long> buckets) {

  static final RereplicationCounts NONE =
      new RereplicationCounts(0, 0, 0, Collections.nCopies(DurationHistogram.BUCKETS, 0L));

  public RereplicationCounts {
    buckets = List.copyOf(buckets);
  }

  RereplicationCounts plus(RereplicationCounts other) {
    return combined(other, 1);
  }

  RereplicationCounts minus(RereplicationCounts earlier) {
    return combined(earlier, -1);
  }

  private RereplicationCounts combined(RereplicationCounts other, int sign) {
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      sums.add(buckets.get(i) + sign * other.buckets.get(i));
    }
    return new RereplicationCounts(
        success + sign * other.success,
        error + sign * other.error,
        timeout + sign * other.timeout,
        sums);
  }

  long total() {
    return buckets.stream().mapToLong(Long::longValue).sum();
  }

  /** The share of queries that took at least that many milliseconds, a power of two. */
  double percentFrom(long millis) {
    long total = total();
    int first = DurationHistogram.bucket(millis * 1_000_000);
    long longer = buckets.stream().skip(first).mapToLong(Long::longValue).sum();
    return total == 0 ? 0 : 100.0 * longer / total;
  }
}
