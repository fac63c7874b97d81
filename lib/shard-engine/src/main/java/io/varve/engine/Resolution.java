package io.varve.engine;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import org.jspecify.annotations.Nullable;

/** The result of resolving a write against the newest state of its document. */
public sealed interface Resolution {

  /**
   * An operation to append.
   *
   * @param version the document's version after it
   * @param document the document to index, {@code null} for a delete
   * @param created whether the id has no document, applied or in flight, that must be replaced
   * @param result {@code created}, {@code updated}, {@code deleted} or {@code not_found}
   */
  record Append(
      long version,
      Parsed.@Nullable Document document,
      @Nullable String routing,
      long mappingVersion,
      boolean created,
      String result)
      implements Resolution {

    public boolean isDelete() {
      return document == null;
    }

    /** The {@code _source} of the record to append, {@code null} for a delete. */
    public byte @Nullable [] source() {
      return document == null ? null : document.source();
    }
  }

  /** Nothing to append: the update has no effect. */
  record Noop(WriteResult.Done result) implements Resolution {}

  /** Rejected; nothing is appended. */
  record Rejected(ErrorBody error) implements Resolution {}

  /** The merged document of an update has new fields: extend the mapping, then resolve again. */
  record NeedsMapping(long mappingVersion, String properties) implements Resolution {}
}
