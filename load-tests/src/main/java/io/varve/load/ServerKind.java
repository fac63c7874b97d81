package io.varve.load;

/** The processes of the measured Varve. */
enum ServerKind {
  /** A process for the broker and for each service. */
  CLUSTER,

  /** One process with everything. */
  UP
}
