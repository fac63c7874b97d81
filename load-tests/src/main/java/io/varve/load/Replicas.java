package io.varve.load;

/** The replica of a shard. */
enum Replicas {
  SEGMENT,
  DOCUMENT,
  NONE;

  Copies copies() {
    return this == NONE ? Copies.NONE : new Copies(name(), 1);
  }
}
