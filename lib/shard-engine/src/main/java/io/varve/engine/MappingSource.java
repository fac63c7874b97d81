package io.varve.engine;

/** Supplies the newest mapping of the index known to this node. */
@FunctionalInterface
public interface MappingSource {

  /**
   * A version of the mapping.
   *
   * @param json {@code {"properties":{…},…}}, {@code {}} when empty
   */
  record Versioned(long version, String json) {}

  /**
   * Returns the same instance while the version is unchanged, so that derived objects can be
   * cached.
   */
  Versioned current();
}
