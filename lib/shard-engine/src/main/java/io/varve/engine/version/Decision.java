package io.varve.engine.version;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;

/** What {@link WriteResolver} makes of a write. */
public sealed interface Decision {

  /** Index the document as sent. */
  record Index(long version, boolean created) implements Decision {}

  /** Index this document, which the update made. */
  @SuppressWarnings("ArrayRecordComponent")
  record IndexMerged(long version, boolean created, byte[] source) implements Decision {}

  /** Leave a tombstone; {@code found} says whether there was a document. */
  record Delete(long version, boolean found) implements Decision {}

  record Noop(WriteResult.Done result) implements Decision {}

  record Rejected(ErrorBody error) implements Decision {}
}
