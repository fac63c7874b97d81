package io.varve.selection;

/** Why a shard request goes to a node. */
public enum Purpose {
  /** The first copy asked. */
  FIRST,
  /** The next copy after a failure. */
  RETRY,
  /** A second copy while the first is silent. */
  HEDGE,
  /** A duplicate that refreshes statistics: it runs to its end, whoever answers first. */
  SHADOW
}
