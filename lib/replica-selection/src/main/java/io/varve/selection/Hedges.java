package io.varve.selection;

import io.varve.selection.SelectionSettings.Hedging;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Determines when a second copy is asked: after a percentile of the last 512 shard response times,
 * each relative to the expected time of its kind of work. {@link ExtraWork} limits the number of
 * hedges.
 */
final class Hedges {

  private static final int WINDOW = 512;
  private static final int LEAST_SAMPLES = 64;
  private static final int RENEW_EVERY = 16;

  private final double[] ratios = new double[WINDOW];
  private int samples;
  private int sinceRenewed;
  private double percentile;
  private double delayRatio = Double.NaN;

  /** Records the first answer for a shard. */
  synchronized void answered(long afterNanos, long expectedNanos) {
    ratios[samples % WINDOW] = (double) afterNanos / Math.max(1, expectedNanos);
    samples++;
    sinceRenewed++;
  }

  /** The delay before a hedge; the maximum delay while too few answers are known. */
  synchronized OptionalLong delayNanos(long expectedNanos, Hedging settings) {
    if (!settings.enabled()) {
      return OptionalLong.empty();
    }
    if (expectedNanos <= 0 || samples < LEAST_SAMPLES) {
      return OptionalLong.of(settings.maxDelayNanos());
    }
    if (sinceRenewed >= RENEW_EVERY || percentile != settings.percentile()) {
      renew(settings.percentile());
    }
    double delay = Math.min(delayRatio * expectedNanos, (double) settings.maxDelayNanos());
    return OptionalLong.of((long) delay);
  }

  private void renew(double wanted) {
    double[] sorted = Arrays.copyOf(ratios, Math.min(samples, WINDOW));
    Arrays.sort(sorted);
    delayRatio = sorted[(int) Math.min(sorted.length - 1, Math.floor(wanted * sorted.length))];
    percentile = wanted;
    sinceRenewed = 0;
  }
}
