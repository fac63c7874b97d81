package io.varve.load;

/**
 * The replicas of an index, and its codec.
 *
 * @param replication {@code SEGMENT} or {@code DOCUMENT}
 */
record Copies(String replication, int replicas, String codec) {

  private static final String DEFAULT_CODEC = "default";

  static final Copies NONE = new Copies("SEGMENT", 0);

  Copies(String replication, int replicas) {
    this(replication, replicas, DEFAULT_CODEC);
  }

  static Copies noneBy(String codec) {
    return new Copies("SEGMENT", 0, codec);
  }

  /** Returns the label used in tables. */
  String label() {
    String copies =
        replicas == 0 ? "none" : replicas == 1 ? replication : replication + "×" + replicas;
    return codec.equals(DEFAULT_CODEC) ? copies : copies + "," + codec;
  }

  /** Returns the index settings as JSON members. */
  String settings() {
    return "\"number_of_replicas\":%d,\"replication.type\":\"%s\",\"codec\":\"%s\""
        .formatted(replicas, replication, codec);
  }
}
