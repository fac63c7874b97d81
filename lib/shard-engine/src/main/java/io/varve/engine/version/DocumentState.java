package io.varve.engine.version;

import org.jspecify.annotations.Nullable;

/**
 * The newest that is known of one id: a document, or the tombstone that its delete left.
 *
 * @param source the document, where it is at hand; {@code null} for a tombstone, and for a document
 *     whose source has to be read from its segment
 */
@SuppressWarnings("ArrayRecordComponent")
public record DocumentState(
    long seqNo,
    long term,
    long version,
    boolean deleted,
    byte @Nullable [] source,
    @Nullable String routing) {

  /** Bytes of memory that it takes to keep this for an id. */
  long sizeBytes(String id) {
    return 120L + id.length() + (source == null ? 0 : source.length);
  }
}
