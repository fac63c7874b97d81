package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/** What became of a {@link WriteItem}. */
public sealed interface WriteResult {

  /**
   * It is in the log, or (a noop) needed no place in it.
   *
   * @param result {@code created}, {@code updated}, {@code deleted}, {@code not_found} or {@code
   *     noop}
   * @param source the document after the write, where that was asked for and there is one
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
   * It is not in the log, and never will be, unless the status is 503 with type {@code
   * unknown_outcome_exception}.
   */
  record Failed(ErrorBody error) implements WriteResult {}

  /** The error type that says: it may or may not be in the log. */
  String UNKNOWN_OUTCOME = "unknown_outcome_exception";

  /** The error type that says: it is not in the history, and another primary may take it. */
  String STALE_PRIMARY = "stale_primary_exception";

  /** Whether it was not written, for certain, for want of the right primary alone. */
  static boolean mayBeSentAgain(WriteResult result) {
    return result instanceof Failed(var error) && error.type().equals(STALE_PRIMARY);
  }

  static @Nullable ErrorBody errorOf(WriteResult result) {
    return result instanceof Failed failed ? failed.error() : null;
  }
}
