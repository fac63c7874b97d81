package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * A document by id, read from one copy.
 *
 * @param source the document as sent, or {@code null} when there is none
 */
@SuppressWarnings("ArrayRecordComponent")
public record GetResult(
    boolean found,
    String id,
    @Nullable String routing,
    long version,
    long seqNo,
    long primaryTerm,
    byte @Nullable [] source) {

  public static GetResult missing(String id) {
    return new GetResult(false, id, null, -1, -2, 0, null);
  }
}
