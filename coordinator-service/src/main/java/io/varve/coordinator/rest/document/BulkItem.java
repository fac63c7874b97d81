package io.varve.coordinator.rest.document;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/**
 * One action of a bulk.
 *
 * @param refusal why it can't be tried; the others are
 * @param shown which parts of the document the answer shows after an update; {@code null} for none
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
