package io.varve.engine.search.aggregation;

import java.util.Arrays;

/**
 * Picks the buckets that are worth building before anything is built for them: where the order is
 * by count, those with the highest counts.
 */
final class TermHeap {

  private TermHeap() {}

  /** All of them where more than counts decides. Ties at the edge are all kept. */
  static int[] keep(TermsShape shape, int[] buckets, LongCells counts) {
    int most = shape.thresholds().shardSize();
    if (buckets.length <= most || !shape.order().isByCountDescending()) {
      return buckets;
    }
    long edge = edge(buckets, counts, most);
    int[] kept = new int[buckets.length];
    int size = 0;
    for (int bucket : buckets) {
      if (counts.get(bucket) >= edge) {
        kept[size++] = bucket;
      }
    }
    return Arrays.copyOf(kept, size);
  }

  /** The count of the last bucket that is among the first so many. */
  private static long edge(int[] buckets, LongCells counts, int most) {
    long[] heap = new long[most];
    int size = 0;
    for (int bucket : buckets) {
      long count = counts.get(bucket);
      if (size < most) {
        heap[size++] = count;
        if (size == most) {
          Arrays.sort(heap);
        }
      } else if (count > heap[0]) {
        sift(heap, count);
      }
    }
    return heap[0];
  }

  /** Puts a count in place of the least; a sorted array is a heap. */
  private static void sift(long[] heap, long count) {
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= count) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = count;
  }

  /** The documents of the buckets that are not kept. */
  static long others(int[] buckets, int[] kept, LongCells counts) {
    if (buckets.length == kept.length) {
      return 0;
    }
    return sum(buckets, counts) - sum(kept, counts);
  }

  private static long sum(int[] buckets, LongCells counts) {
    long sum = 0;
    for (int bucket : buckets) {
      sum += counts.get(bucket);
    }
    return sum;
  }
}
