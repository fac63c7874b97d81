package io.varve.selection;

/** {@code average ← α · value + (1 − α) · average}. Not thread-safe. */
final class Ewma {

  private final double alpha;
  private double average;

  Ewma(double alpha, double initial) {
    this.alpha = alpha;
    this.average = initial;
  }

  void add(double value) {
    average = alpha * value + (1 - alpha) * average;
  }

  double average() {
    return average;
  }
}
