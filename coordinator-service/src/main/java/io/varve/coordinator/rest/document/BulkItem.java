package io.varve.coordinator.rest.document;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import org.jspecify.annotations.Nullable;

/**
 * One action of a bulk.
 *
 * @param refusal why it can't be tried; the others are
 * @param fetchSource the answer shows the document after an update
 */
record BulkItem(
    String index,
    WriteItem write,
    boolean requireAlias,
    boolean fetchSource,
    @Nullable ErrorBody refusal) {

  static BulkItem of(String index, WriteItem write) {
    return new BulkItem(index, write, false, false, null);
  }
}
