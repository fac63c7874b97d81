package io.varve.engine.document;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.ReservedNames;

/**
 * Checks field names of documents: no part between dots may be empty, and the names of metadata
 * fields are reserved at the top level.
 */
final class FieldNames {

  private FieldNames() {}

  /** Throws an {@link ApiException} if an object at {@code objectPath} can't have the name. */
  static void check(String objectPath, String name) {
    if (name.isBlank() || name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
      throw DocumentReader.failedToParse(
          ErrorBody.illegalArgument(
              name.isEmpty()
                  ? "field name cannot be an empty string"
                  : name.chars().allMatch(c -> c == '.')
                      ? "field name cannot contain only the character [.]"
                      : "object field starting or ending with a [.] makes object resolution ambiguous: ["
                          + name
                          + "]"));
    }
    if (objectPath.isEmpty() && ReservedNames.contains(name)) {
      throw new ApiException(
          400,
          "mapper_parsing_exception",
          "Field ["
              + name
              + "] is a metadata field and cannot be added inside a document. Use the index API"
              + " request parameters.");
    }
  }
}
