package io.varve.testkit.selection;

import io.varve.selection.Formula;
import io.varve.selection.SelectionSettings;
import io.varve.selection.SelectionSettings.Hedging;
import io.varve.selection.Strategy;

/** A strategy with its name in tables. */
@SuppressWarnings("ImmutableEnumChecker") // settings are a record of records
public enum NamedStrategy {
  RANDOM("random", plain(Strategy.RANDOM)),
  ROUND_ROBIN("round_robin", plain(Strategy.ROUND_ROBIN)),
  LEAST_OUTSTANDING("least_outstanding", plain(Strategy.LEAST_OUTSTANDING)),
  P2C("p2c", plain(Strategy.P2C)),
  PUBLISHED("ars, published", plain(Strategy.ARS).with(Formula.PUBLISHED)),
  C3("ars, c3", plain(Strategy.ARS).with(Formula.C3)),
  ES95("ars, es95", plain(Strategy.ARS).with(Formula.ES95)),
  C3_HEDGED("ars, c3, hedged", plain(Strategy.ARS).with(Formula.C3).with(Hedging.DEFAULTS)),
  P2C_HEDGED("p2c, hedged", plain(Strategy.P2C).with(Hedging.DEFAULTS)),
  ADAPTIVE_UNHEDGED("adaptive, not hedged", plain(Strategy.ADAPTIVE)),
  ADAPTIVE("**adaptive**", SelectionSettings.DEFAULTS);

  private final String title;
  private final SelectionSettings settings;

  NamedStrategy(String title, SelectionSettings settings) {
    this.title = title;
    this.settings = settings;
  }

  private static SelectionSettings plain(Strategy strategy) {
    return SelectionSettings.DEFAULTS.with(strategy).with(Hedging.off());
  }

  public String title() {
    return title;
  }

  public SelectionSettings settings() {
    return settings;
  }

  public StrategyResults in(Situation situation, int seeds) {
    return situation.measure(settings, seeds);
  }
}
