package io.varve.shard.remote;

import java.util.ArrayDeque;
import java.util.Deque;

/** The average of the newest values in a window. Not thread-safe. */
final class MovingAverage {

  private final Deque<Double> values = new ArrayDeque<>();

  /** Adds a value; {@code window} may differ between calls. */
  void add(double value, int window) {
    values.addLast(value);
    while (values.size() > window) {
      values.removeFirst();
    }
  }

  /** Whether the window is full. */
  boolean isReady(int window) {
    return values.size() >= window;
  }

  /** The average; 0 if there are no values. */
  double value() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
