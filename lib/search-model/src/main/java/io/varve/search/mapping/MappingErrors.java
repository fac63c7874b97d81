package io.varve.search.mapping;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/** Creates the errors of mappings, and of documents that do not match them. */
public final class MappingErrors {

  private static final String PARSING = "mapper_parsing_exception";

  private MappingErrors() {}

  static ApiException parsing(String reason) {
    return new ApiException(400, PARSING, reason);
  }

  static ApiException parsing(String reason, RuntimeException cause) {
    return new ApiException(ErrorBody.of(400, PARSING, reason).causedBy(bodyOf(cause)));
  }

  /** The error for a mapping update that existing segments do not allow. */
  static ApiException mapper(String reason) {
    return new ApiException(400, "mapper_exception", reason);
  }

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /** The same error in the form that the creation of an index returns. */
  public static ErrorBody inNewIndex(ErrorBody error) {
    return ErrorBody.of(400, PARSING, "Failed to parse mapping [_doc]: " + error.reason())
        .causedBy(error);
  }

  /** The error for a value that does not match its field's type. */
  public static ErrorBody failedToParse(
      FieldMapping.LeafField field, String documentId, String preview, ErrorBody cause) {
    return ErrorBody.of(
            400,
            PARSING,
            "failed to parse field ["
                + field.path()
                + "] of type ["
                + field.type().json()
                + "] in document with id '"
                + documentId
                + "'. Preview of field's value: '"
                + preview
                + "'")
        .causedBy(cause);
  }

  /** The error for a new field in an object with {@code dynamic: strict}. */
  public static ErrorBody strictDynamic(Dynamic dynamic, String objectPath, String field) {
    return ErrorBody.of(
        400,
        "strict_dynamic_mapping_exception",
        "mapping set to "
            + dynamic.json()
            + ", dynamic introduction of ["
            + field
            + "] within ["
            + (objectPath.isEmpty() ? "_doc" : objectPath)
            + "] is not allowed");
  }

  private static ErrorBody bodyOf(RuntimeException cause) {
    return switch (cause) {
      case ApiException api -> api.error();
      case ValueException value -> value.error();
      case NumberFormatException number ->
          ErrorBody.of(400, "number_format_exception", String.valueOf(number.getMessage()));
      default -> ErrorBody.illegalArgument(String.valueOf(cause.getMessage()));
    };
  }
}
