package io.varve.load.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * An axis of a panel.
 *
 * <pre>
 *   linear        from 0 to a round number above the largest value
 *   logarithmic   between round numbers (1, 2 or 5 times a power of ten) around the values,
 *                 all of which must be positive
 * </pre>
 *
 * @param label the quantity and its unit
 */
public record Axis(String label, boolean logarithmic) {

  private static final int TICKS = 5;
  private static final double[] STEPS = {1, 2, 5, 10};

  public static Axis linear(String label) {
    return new Axis(label, false);
  }

  public static Axis logarithmic(String label) {
    return new Axis(label, true);
  }

  /**
   * The part of an axis that a panel shows.
   *
   * @param ticks the labelled values
   */
  record Range(boolean logarithmic, double from, double to, List<Double> ticks) {

    /** The position of a value between 0, the start of the axis, and 1, its end. */
    double place(double value) {
      return logarithmic
          ? Math.log(value / from) / Math.log(to / from)
          : (value - from) / (to - from);
    }
  }

  /** A range in which each value is a tick, because there are few values. */
  Range exactly(List<Double> values) {
    List<Double> ticks = values.stream().distinct().sorted().toList();
    if (logarithmic) {
      double last = ticks.getLast();
      return new Range(true, ticks.getFirst(), last > ticks.getFirst() ? last : 2 * last, ticks);
    }
    return new Range(false, 0, Math.max(1, ticks.getLast()), ticks);
  }

  /** A range with round ticks around the values. */
  Range around(List<Double> values) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    return logarithmic ? logarithmic(least, most) : linear(most);
  }

  private static Range linear(double most) {
    double step = roundedUp(Math.max(most, Double.MIN_NORMAL) / TICKS);
    int count = (int) Math.max(1, Math.ceil(most / step - 1e-9));
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i <= count; i++) {
      ticks.add(rounded(i * step));
    }
    return new Range(false, 0, ticks.getLast(), ticks);
  }

  private static Range logarithmic(double least, double most) {
    if (!(least > 0)) {
      throw new IllegalArgumentException("a logarithmic axis has no place for " + least);
    }
    List<Double> ticks = new ArrayList<>();
    ticks.add(roundedDown(least));
    while (ticks.size() < 2 || ticks.getLast() < most) {
      ticks.add(roundedUp(ticks.getLast() * 1.01));
    }
    return new Range(true, ticks.getFirst(), ticks.getLast(), ticks);
  }

  private static double roundedUp(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : STEPS) {
      if (step * power >= value * (1 - 1e-9)) {
        return rounded(step * power);
      }
    }
    return rounded(10 * power);
  }

  private static double roundedDown(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    double found = power;
    for (double step : STEPS) {
      if (step * power <= value * (1 + 1e-9)) {
        found = step * power;
      }
    }
    return rounded(found);
  }

  /** Rounds away the error of a binary fraction. */
  private static double rounded(double value) {
    return new BigDecimal(value).round(new MathContext(6, RoundingMode.HALF_UP)).doubleValue();
  }
}
