package io.varve.changes;

/** The names of indices. */
@FunctionalInterface
public interface IndexNames {

  /** The name of the index with that uuid, or the uuid if its name is not known. */
  String name(String indexUuid);
}
