package io.varve.engine.version;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;

/** The decision of {@link WriteResolver} on a write. */
public sealed interface WriteDecision {

  /** Index the document as sent. */
  record Index(long version, boolean created) implements WriteDecision {}

  /** Index the document that results from the update. */
  @SuppressWarnings("ArrayRecordComponent")
  record IndexMerged(long version, boolean created, byte[] source) implements WriteDecision {}

  /** Add a tombstone; {@code found} tells whether the document existed. */
  record Delete(long version, boolean found) implements WriteDecision {}

  record Noop(WriteResult.Done result) implements WriteDecision {}

  record Rejected(ErrorBody error) implements WriteDecision {}
}
