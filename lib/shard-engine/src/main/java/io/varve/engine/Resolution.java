package io.varve.engine;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import org.jspecify.annotations.Nullable;

/** What a write comes to, given the newest state of its document. */
public sealed interface Resolution {

  /**
   * A fact to append.
   *
   * @param version the document's version after it
   * @param document the document to index, {@code null} for a delete
   * @param created the id has no document, applied or in flight, so none needs to be replaced
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

  /** Nothing to append: the update changes nothing. */
  record Noop(WriteResult.Done result) implements Resolution {}

  /** Refused; nothing is appended. */
  record Rejected(ErrorBody error) implements Resolution {}

  /** The merged document of an update brings new fields: add them, then resolve again. */
  record NeedsMapping(long mappingVersion, String properties) implements Resolution {}
}
