package io.varve.load.growth;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Measures the CPU time of this thread for one call, so that other load on the machine has little
 * effect. A sample repeats the call until it has taken {@link #SAMPLE_NANOS}; the result is the
 * median of the samples after those of warm-up.
 */
final class CpuMeter {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long SAMPLE_NANOS = 20_000_000;
  private static final long WARM_UP_NANOS = 1_000_000_000;
  private static final int MOST_REPEATS = 1 << 20;

  private final int samples;
  private final long mostNanos;
  // Calls must have an effect that the compiler can't remove.
  private int sink;

  /**
   * @param mostNanos CPU time of one measurement, which ends after the first sample beyond this
   *     limit
   */
  CpuMeter(int samples, long mostNanos) {
    this.samples = samples;
    this.mostNanos = mostNanos;
  }

  /** The CPU time of one call, in nanoseconds. */
  double nanos(Supplier<?> call) {
    long began = THREADS.getCurrentThreadCpuTime();
    int repeats = warmUp(call, began);
    double[] taken = new double[samples];
    int sample = 0;
    do {
      taken[sample++] = (double) timed(call, repeats) / repeats;
    } while (sample < samples && THREADS.getCurrentThreadCpuTime() - began < mostNanos);
    double[] sorted = Arrays.copyOf(taken, sample);
    Arrays.sort(sorted);
    return sorted[sample / 2];
  }

  /** The number of calls for one sample. */
  private int warmUp(Supplier<?> call, long began) {
    int repeats = 1;
    long nanos = timed(call, 1);
    while (THREADS.getCurrentThreadCpuTime() - began < Math.min(WARM_UP_NANOS, mostNanos / 2)) {
      if (nanos < SAMPLE_NANOS && repeats < MOST_REPEATS) {
        repeats *= 2;
      }
      nanos = timed(call, repeats);
    }
    return Math.max(1, (int) Math.min(repeats, 2L * repeats * SAMPLE_NANOS / Math.max(1, nanos)));
  }

  private long timed(Supplier<?> call, int repeats) {
    long began = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < repeats; i++) {
      sink += call.get() == null ? 1 : 2;
    }
    return Math.max(1, THREADS.getCurrentThreadCpuTime() - began);
  }

  /** The effect of the calls; it has no meaning. */
  int sink() {
    return sink;
  }
}
