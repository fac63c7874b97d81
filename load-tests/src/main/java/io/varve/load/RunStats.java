package io.varve.load;

import java.math.RoundingMode;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes medians and ratios of repeated runs. */
final class RunStats {

  private RunStats() {}

  static <T> double median(List<T> runs, ToDoubleFunction<T> value) {
    return median(runs.stream().mapToDouble(value).toArray());
  }

  /** Returns the median with minimum and maximum in brackets. */
  static <T> String medianAndRange(List<T> runs, ToDoubleFunction<T> value, int decimals) {
    return bracketed(runs.stream().mapToDouble(value).toArray(), decimals);
  }

  private static String bracketed(double[] values, int decimals) {
    DoubleSummaryStatistics range = Arrays.stream(values).summaryStatistics();
    NumberFormat text = NumberFormat.getInstance(Locale.ROOT);
    text.setGroupingUsed(false);
    text.setMinimumFractionDigits(decimals);
    text.setMaximumFractionDigits(decimals);
    text.setRoundingMode(RoundingMode.HALF_UP);
    return "%s (%s-%s)"
        .formatted(
            text.format(median(values)), text.format(range.getMin()), text.format(range.getMax()));
  }

  /** Returns the median; for an even number of values, the mean of the two middle ones. */
  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int upper = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
  }

  /** Returns the median of the ratios per round, with minimum and maximum; empty without a peer. */
  static <T> String pairedRatio(List<T> runs, @Nullable List<T> peer, ToDoubleFunction<T> value) {
    if (peer == null || peer.equals(runs)) {
      return "";
    }
    double[] ratios =
        IntStream.range(0, Math.min(runs.size(), peer.size()))
            .mapToDouble(i -> value.applyAsDouble(runs.get(i)) / value.applyAsDouble(peer.get(i)))
            .toArray();
    return bracketed(ratios, 2);
  }
}
