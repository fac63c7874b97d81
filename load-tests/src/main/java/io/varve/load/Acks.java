package io.varve.load;

import java.util.ArrayList;
import java.util.List;

/** The times of acks, in ascending order. Not thread-safe. */
final class Acks {

  private final List<Long> nanos = new ArrayList<>();

  void add(long ackedNanos) {
    nanos.add(ackedNanos);
  }

  int count() {
    return nanos.size();
  }

  /**
   * Returns the longest gap between two successive acks, in milliseconds, among the gaps that
   * overlap the span, even if they start before or end after it.
   */
  double longestGapMillis(long fromNanos, long toNanos) {
    long longest = 0;
    for (int i = 1; i < nanos.size(); i++) {
      long before = nanos.get(i - 1);
      long after = nanos.get(i);
      if (after >= fromNanos && before <= toNanos) {
        longest = Math.max(longest, after - before);
      }
    }
    return longest / 1e6;
  }
}
