package io.varve.selection;

/** Purpose of a shard request. */
public enum Purpose {
  /** The first copy asked. */
  FIRST,
  /** The next copy after a failure. */
  RETRY,
  /** A second copy while the first is silent. */
  HEDGE,
  /** A duplicate that refreshes statistics; it is never cancelled. */
  SHADOW
}
