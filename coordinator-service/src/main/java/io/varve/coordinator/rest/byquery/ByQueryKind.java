package io.varve.coordinator.rest.byquery;

/** The operation that a by-query task applies to each hit. */
enum ByQueryKind {
  DELETE("indices:data/write/delete/byquery"),
  UPDATE("indices:data/write/update/byquery"),
  REINDEX("indices:data/write/reindex"),
  REREPLICATE(RereplicateEndpoint.ACTION);

  private final String action;

  ByQueryKind(String action) {
    this.action = action;
  }

  String action() {
    return action;
  }
}
