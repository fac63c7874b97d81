package io.varve.load;

/**
 * The copies of an index's shards beside their primaries.
 *
 * @param replication {@code SEGMENT} or {@code DOCUMENT}
 */
record Copies(String replication, int replicas) {

  static final Copies NONE = new Copies("SEGMENT", 0);

  /** As it stands in a table. */
  String label() {
    return replicas == 0 ? "none" : replicas == 1 ? replication : replication + "×" + replicas;
  }

  /** The settings that ask for them. */
  String settings() {
    return "\"number_of_replicas\":" + replicas + ",\"replication.type\":\"" + replication + "\"";
  }
}
