package io.varve.engine.search.aggregation;

import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Selects the buckets to build before building any: with order by count, those with the highest
 * counts.
 */
final class TermHeap {

  private TermHeap() {}

  /** Compares the keys of two buckets. */
  @FunctionalInterface
  interface Order {
    int compare(int bucket, int other);
  }

  /**
   * Selects all buckets if the order is not by count alone.
   *
   * @param ties order among buckets with the lowest selected count; null to keep all of them
   */
  static int[] keep(TermsShape shape, int[] buckets, LongCells counts, @Nullable Order ties) {
    int most = shape.thresholds().shardSize();
    if (buckets.length <= most || !shape.order().isByCountDescending()) {
      return buckets;
    }
    long edge = edge(buckets, counts, most);
    int[] kept = new int[buckets.length];
    int size = 0;
    int[] tied = new int[buckets.length];
    int ends = 0;
    for (int bucket : buckets) {
      long count = counts.get(bucket);
      if (count > edge) {
        kept[size++] = bucket;
      } else if (count == edge) {
        tied[ends++] = bucket;
      }
    }
    int[] last = Arrays.copyOf(tied, ends);
    if (ties != null && size + ends > most) {
      last = first(last, most - size, ties);
    }
    System.arraycopy(last, 0, kept, size, last.length);
    return Arrays.copyOf(kept, size + last.length);
  }

  private static int[] first(int[] buckets, int most, Order order) {
    PriorityQueue<Integer> lastFirst = new PriorityQueue<>((a, b) -> order.compare(b, a));
    for (int bucket : buckets) {
      if (lastFirst.size() < most) {
        lastFirst.add(bucket);
      } else if (order.compare(bucket, lastFirst.element()) < 0) {
        lastFirst.remove();
        lastFirst.add(bucket);
      }
    }
    return lastFirst.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The count of the last selected bucket. */
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

  /** Replaces the least count in the heap. (The initial array is sorted, hence a heap.) */
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

  /** The documents of the buckets that are not selected. */
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
