package io.varve.load;

import java.util.ArrayList;
import java.util.List;

/** Times of acks, in order. Not thread-safe. */
final class Acks {

  private final List<Long> nanos = new ArrayList<>();

  void add(long ackedNanos) {
    nanos.add(ackedNanos);
  }

  int count() {
    return nanos.size();
  }

  /**
   * The longest time between two acks that overlaps the span, in milliseconds, including one that
   * started before the span or ended after it.
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
