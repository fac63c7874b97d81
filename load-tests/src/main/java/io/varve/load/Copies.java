package io.varve.load;

/**
 * The copies of an index's shards beside their primaries.
 *
 * @param replication {@code SEGMENT} or {@code DOCUMENT}
 * @param codec of all of them
 */
record Copies(String replication, int replicas, String codec) {

  private static final String USUAL_CODEC = "default";

  static final Copies NONE = new Copies("SEGMENT", 0);

  Copies(String replication, int replicas) {
    this(replication, replicas, USUAL_CODEC);
  }

  static Copies noneBy(String codec) {
    return new Copies("SEGMENT", 0, codec);
  }

  /** As it stands in a table. */
  String label() {
    String copies =
        replicas == 0 ? "none" : replicas == 1 ? replication : replication + "×" + replicas;
    return codec.equals(USUAL_CODEC) ? copies : copies + "," + codec;
  }

  /** The settings that ask for them. */
  String settings() {
    return "\"number_of_replicas\":%d,\"replication.type\":\"%s\",\"codec\":\"%s\""
        .formatted(replicas, replication, codec);
  }
}
