package io.varve.shard.remote;

import java.util.ArrayDeque;
import java.util.Deque;

/** Of the newest values, as many as the window has room for. Not thread-safe. */
final class MovingAverage {

  private final Deque<Double> values = new ArrayDeque<>();

  /** {@code window} may be another one each time. */
  void add(double value, int window) {
    values.addLast(value);
    while (values.size() > window) {
      values.removeFirst();
    }
  }

  /** Whether there are as many values as the window has room for. */
  boolean isReady(int window) {
    return values.size() >= window;
  }

  /** 0 when there is none. */
  double value() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
