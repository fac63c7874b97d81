package io.varve.engine.version;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;

/** The decision of {@link WriteResolver} on a write. */
public sealed interface Decision {

  /** Index the document as sent. */
  record Index(long version, boolean created) implements Decision {}

  /** Index the document that results from the update. */
  @SuppressWarnings("ArrayRecordComponent")
  record IndexMerged(long version, boolean created, byte[] source) implements Decision {}

  /** Add a tombstone; {@code found} tells whether there was a document. */
  record Delete(long version, boolean found) implements Decision {}

  record Noop(WriteResult.Done result) implements Decision {}

  record Rejected(ErrorBody error) implements Decision {}
}
