package io.varve.shard.replicated;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations in buckets of powers of two milliseconds. Thread-safe.
 *
 * <pre>
 *   bucket 0   less than 1 ms
 *   bucket n   from 2^(n-1) ms to less than 2^n ms; the last one without an upper bound
 * </pre>
 */
final class DurationHistogram {

  static final int BUCKETS = 26;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  static int bucket(long nanos) {
    long millis = Math.max(0, nanos) / 1_000_000;
    return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(millis));
  }

  void add(long nanos) {
    counts.incrementAndGet(bucket(nanos));
  }

  List<Long> counts() {
    List<Long> now = new ArrayList<>(BUCKETS);
    for (int i = 0; i < BUCKETS; i++) {
      now.add(counts.get(i));
    }
    return now;
  }
}
