package io.varve.load;

/** How the measured Varve is started. */
enum ServerKind {
  /** A process for the broker and for each service. */
  CLUSTER,

  /** One process with everything. */
  UP
}
