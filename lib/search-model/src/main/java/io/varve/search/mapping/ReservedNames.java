package io.varve.search.mapping;

import java.util.Set;

/**
 * Names of metadata fields at the root of a document. INVARIANT: no mapping and no document has a
 * field with such a name; otherwise a shard could log an operation that it can't index.
 */
public final class ReservedNames {

  private static final Set<String> NAMES =
      Set.of(
          "_id",
          "_index",
          "_source",
          "_source_shape",
          "_routing",
          "_field_names",
          "_ignored",
          "_nested_path",
          "_seq_no",
          "_primary_term",
          "_version",
          "_tombstone",
          "__soft_deletes");

  private ReservedNames() {}

  /** Whether a field's full name is reserved. */
  public static boolean contains(String path) {
    return NAMES.contains(path);
  }
}
