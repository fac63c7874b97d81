package io.varve.engine;

/** Where a copy finds its index's mapping, always the newest that this node knows. */
@FunctionalInterface
public interface MappingSource {

  /**
   * A mapping at a version.
   *
   * @param json {@code {"properties":{…},…}}, {@code {}} when empty
   */
  record Versioned(long version, String json) {}

  /**
   * The same instance as long as the version is the same, so that what is derived from it is kept.
   */
  Versioned current();
}
