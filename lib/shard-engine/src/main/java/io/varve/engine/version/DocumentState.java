package io.varve.engine.version;

import io.varve.rpc.GetResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest known state of an id: a document, or the tombstone of a delete.
 *
 * @param source the document if it was loaded; {@code null} for a tombstone, and for a document
 *     whose source is only in its segment
 * @param sourceInIndex whether the source was left to the index, which has it after a refresh
 */
@SuppressWarnings("ArrayRecordComponent")
public record DocumentState(
    long seqNo,
    long term,
    long version,
    boolean deleted,
    byte @Nullable [] source,
    @Nullable String routing,
    boolean sourceInIndex) {

  public DocumentState(
      long seqNo,
      long term,
      long version,
      boolean deleted,
      byte @Nullable [] source,
      @Nullable String routing) {
    this(seqNo, term, version, deleted, source, routing, false);
  }

  /** The same state, with its source left to the index. */
  public DocumentState leavingSource() {
    return source == null
        ? this
        : new DocumentState(seqNo, term, version, deleted, null, routing, true);
  }

  /** The answer to a get that finds this document. */
  public GetResult found(
      String id, byte @Nullable [] shownSource, Map<String, List<Object>> storedFields) {
    return new GetResult(true, id, routing, version, seqNo, term, shownSource, storedFields);
  }

  /** Memory used to keep this state for an id. */
  long sizeBytes(String id) {
    return 120L + id.length() + (source == null ? 0 : source.length);
  }
}
