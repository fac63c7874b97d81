package io.varve.selection;

import java.util.Objects;

/**
 * Dynamic settings of replica selection.
 *
 * @param strategy {@code cluster.routing.replica_selection}
 * @param formula {@code cluster.routing.replica_selection.formula}, for {@link Strategy#ARS}
 * @param adaptive {@code cluster.routing.use_adaptive_replica_selection}; if false, copies rotate
 *     regardless of the strategy
 * @param hedging when to ask a second copy
 */
public record SelectionSettings(
    Strategy strategy, Formula formula, boolean adaptive, Hedging hedging) {

  public static final SelectionSettings DEFAULTS =
      new SelectionSettings(Strategy.ADAPTIVE, Formula.C3, true, Hedging.DEFAULTS);

  public SelectionSettings {
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(formula, "formula");
    Objects.requireNonNull(hedging, "hedging");
  }

  /** The strategy in effect: rotation if adaptive selection is disabled. */
  public Strategy effectiveStrategy() {
    return adaptive ? strategy : Strategy.ROUND_ROBIN;
  }

  public SelectionSettings with(Strategy other) {
    return new SelectionSettings(other, formula, adaptive, hedging);
  }

  public SelectionSettings with(Formula other) {
    return new SelectionSettings(strategy, other, adaptive, hedging);
  }

  public SelectionSettings with(Hedging other) {
    return new SelectionSettings(strategy, formula, adaptive, other);
  }

  public SelectionSettings withAdaptive(boolean on) {
    return new SelectionSettings(strategy, formula, on, hedging);
  }

  /**
   * Settings for asking a second copy while the first is silent.
   *
   * @param enabled {@code cluster.routing.hedging}
   * @param percentile {@code cluster.routing.hedging.percentile}: percentile of recent shard
   *     response times used as the delay
   * @param maxDelayNanos {@code cluster.routing.hedging.max_delay}: maximum delay
   * @param budget {@code cluster.routing.hedging.budget}: hedges and shadows as a share of requests
   */
  public record Hedging(boolean enabled, double percentile, long maxDelayNanos, double budget) {

    public static final Hedging DEFAULTS = new Hedging(true, 0.98, 5_000_000_000L, 0.05);

    public Hedging {
      require(percentile >= 0.5 && percentile < 1, "percentile", percentile, "[0.5, 1)");
      require(maxDelayNanos > 0, "maxDelayNanos", (double) maxDelayNanos, "above 0");
      require(budget >= 0 && budget <= 1, "budget", budget, "[0, 1]");
    }

    public static Hedging off() {
      return new Hedging(false, DEFAULTS.percentile, DEFAULTS.maxDelayNanos, DEFAULTS.budget);
    }

    private static void require(boolean holds, String name, double value, String range) {
      if (!holds) {
        throw new IllegalArgumentException(name + " is " + value + ", must be " + range);
      }
    }
  }
}
