package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/** The result of a {@link WriteItem}. */
public sealed interface WriteResult {

  /**
   * The write is in the log, or is a noop that needs no record.
   *
   * @param result {@code created}, {@code updated}, {@code deleted}, {@code not_found} or {@code
   *     noop}
   * @param source the document after the write, if it was requested and exists
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Done(String result, long seqNo, long primaryTerm, long version, byte @Nullable [] source)
      implements WriteResult {

    public Done(String result, long seqNo, long primaryTerm, long version) {
      this(result, seqNo, primaryTerm, version, null);
    }

    public int status() {
      return switch (result) {
        case "created" -> 201;
        case "not_found" -> 404;
        default -> 200;
      };
    }
  }

  /**
   * The write is not in the log and never will be, unless the status is 503 with type {@code
   * unknown_outcome_exception}.
   */
  record Failed(ErrorBody error) implements WriteResult {}

  /** Error type: the write may or may not be in the log. */
  String UNKNOWN_OUTCOME = "unknown_outcome_exception";

  /** Error type: the write is not in the history, and another primary may accept it. */
  String STALE_PRIMARY = "stale_primary_exception";

  /** Whether the write was certainly not performed and can be retried on the current primary. */
  static boolean mayBeSentAgain(WriteResult result) {
    return result instanceof Failed(var error) && error.type().equals(STALE_PRIMARY);
  }

  /**
   * Whether a write that requires a version of its document failed because the document has
   * changed: it has another version, or, if the write is an update, it was deleted.
   */
  static boolean isVersionConflict(ErrorBody error) {
    return error.type().equals("version_conflict_engine_exception")
        || error.type().equals("document_missing_exception");
  }

  static @Nullable ErrorBody errorOf(WriteResult result) {
    return result instanceof Failed failed ? failed.error() : null;
  }
}
