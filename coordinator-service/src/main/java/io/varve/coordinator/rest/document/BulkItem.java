package io.varve.coordinator.rest.document;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/**
 * One action of a bulk.
 *
 * @param refusal why this item is rejected without an attempt, while the other items are executed;
 *     {@code null} if it is valid
 * @param shown the parts of the document that the response to an update contains; {@code null} for
 *     none
 */
record BulkItem(
    String index,
    WriteItem write,
    boolean requireAlias,
    @Nullable SourceFilter shown,
    @Nullable ErrorBody refusal) {

  static BulkItem of(String index, WriteItem write) {
    return new BulkItem(index, write, false, null, null);
  }
}
