package io.varve.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Medians and ratios of repeated runs. */
final class Figures {

  private Figures() {}

  static <T> double median(List<T> runs, ToDoubleFunction<T> figure) {
    double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
    return values[values.length / 2];
  }

  /** The median of the ratios run by run, with the least and the most; empty without a peer. */
  static <T> String pairedRatio(List<T> runs, @Nullable List<T> peer, ToDoubleFunction<T> figure) {
    if (peer == null || peer.equals(runs)) {
      return "";
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(runs.size(), peer.size()); i++) {
      ratios.add(figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(peer.get(i)));
    }
    ratios.sort(Comparator.naturalOrder());
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f-%.2f)",
        ratios.get(ratios.size() / 2),
        ratios.getFirst(),
        ratios.getLast());
  }
}
