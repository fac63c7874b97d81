package io.varve.changes;

import io.varve.events.Operation;
import org.jspecify.annotations.Nullable;

/**
 * An accepted operation on a document. Within a shard, {@code seqNo} has no gaps, and each
 * document's {@code version} increases.
 *
 * @param index the name of the index, or its uuid if the name is not known
 * @param id the document's {@code _id}
 * @param primaryTerm the term of the primary that wrote it
 * @param version the document's version after this operation
 * @param routing the document's routing, if it was written with one
 * @param source the document as sent, null for a delete; shared, never modified
 * @param offset the offset of its record in the topic's partition {@code shard}
 */
@SuppressWarnings("ArrayRecordComponent")
public record Change(
    String index,
    int shard,
    String id,
    long seqNo,
    long primaryTerm,
    long version,
    Kind kind,
    @Nullable String routing,
    byte @Nullable [] source,
    long offset) {

  /** The kind of the change. */
  public enum Kind {
    /** It was created or replaced. */
    INDEX,
    DELETE
  }

  static Change of(String index, int shard, long offset, Operation operation) {
    return new Change(
        index,
        shard,
        operation.id(),
        operation.seqNo(),
        operation.term(),
        operation.version(),
        operation.isDelete() ? Kind.DELETE : Kind.INDEX,
        operation.routing(),
        operation.source(),
        offset);
  }
}
