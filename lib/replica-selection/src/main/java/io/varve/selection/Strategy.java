package io.varve.selection;

import java.util.Locale;

/** Order of copies: {@code cluster.routing.replica_selection}. */
public enum Strategy {
  /** By expected completion time, with probes, shadow requests, back-off and hedging. */
  ADAPTIVE,
  /** By a published formula: see {@link Formula}. */
  ARS,
  /** By own requests in flight. */
  LEAST_OUTSTANDING,
  /** The better of two random copies by peak latency times requests in flight. */
  P2C,
  ROUND_ROBIN,
  RANDOM;

  public String settingName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException if no strategy has this name
   */
  public static Strategy of(String settingName) {
    return SettingNames.find(values(), Strategy::settingName, settingName);
  }
}
