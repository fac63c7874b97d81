package io.varve.engine.fields;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;

/** Checks whether a field has values by document, as needed for sorting and aggregations. */
public final class ValuesByDocument {

  private ValuesByDocument() {}

  /** Rejects fields without doc values or fielddata. */
  public static void require(LeafField field) {
    if (field.fielddata()) {
      return;
    }
    if (field.type().isText()) {
      throw refused(
          "Text fields are not optimised for operations that require per-document field data like"
              + " aggregations and sorting, so these operations are disabled by default. Please"
              + " use a keyword field instead. Alternatively, set fielddata=true on ["
              + field.path()
              + "] in order to load field data by uninverting the inverted index. Note that this"
              + " can use significant memory.");
    }
    if (!field.docValues()) {
      throw refused(
          "Can't load fielddata on ["
              + field.path()
              + "] because fielddata is unsupported on fields of type ["
              + field.type().json()
              + "]. Use doc values instead.");
    }
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
