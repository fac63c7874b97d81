package io.varve.engine.search.aggregation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A double per bucket. */
final class DoubleCells {

  private final MemoryAccount memory;
  private final double first;
  private final CellPages<double[]> far;
  private double[] near = new double[0];

  /**
   * @param first the initial value
   */
  DoubleCells(MemoryAccount memory, double first) {
    this.memory = memory;
    this.first = first;
    this.far = new CellPages<>(memory, Double.BYTES, size -> filled(new double[size], 0));
  }

  void set(int bucket, double value) {
    upTo(bucket)[bucket & CellPages.MASK] = value;
  }

  /**
   * The array that contains the bucket, at index bucket & {@link CellPages#MASK}. The array of a
   * bucket before the first page contains all buckets up to it. Valid until the next bucket is
   * added.
   */
  double[] upTo(int bucket) {
    if (bucket < near.length) {
      return near;
    }
    return bucket < CellPages.SIZE ? grown(bucket) : far.of(bucket);
  }

  double get(int bucket) {
    if (bucket < CellPages.SIZE) {
      return bucket < near.length ? near[bucket] : first;
    }
    double @Nullable [] page = far.known(bucket);
    return page == null ? first : page[bucket & CellPages.MASK];
  }

  private double[] grown(int bucket) {
    int before = near.length;
    int size = CellPages.near(before, bucket);
    // Both arrays exist while one is copied to the other.
    memory.charge(size * 8L);
    near = filled(Arrays.copyOf(near, size), before);
    memory.charge(before * -8L);
    return near;
  }

  private double[] filled(double[] cells, int from) {
    if (first != 0) {
      Arrays.fill(cells, from, cells.length, first);
    }
    return cells;
  }
}
