package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.VersionType;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import org.jspecify.annotations.Nullable;

/** Maps hits to writes. */
final class HitWrites {

  private HitWrites() {}

  /** Returns a delete of exactly the version that was found. */
  static InnerWrites.Write delete(IndexHit found) {
    ShardHit hit = found.hit();
    WriteItem item = atStamp(WriteItem.delete(hit.id()), hit);
    return new InnerWrites.Write(found.index(), item);
  }

  /** Returns a write that replaces exactly the version that was found by the unchanged document. */
  static InnerWrites.Write sameAgain(IndexHit found) {
    ShardHit hit = found.hit();
    WriteItem item = atStamp(WriteItem.index(hit.id(), source(found)), hit);
    return new InnerWrites.Write(found.index(), item);
  }

  private static WriteItem atStamp(WriteItem item, ShardHit hit) {
    return item.routedBy(hit.routing()).ifAt(hit.stamp().seqNo(), hit.stamp().primaryTerm());
  }

  static byte[] source(IndexHit found) {
    byte[] source = found.hit().source();
    if (source == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[" + found.index() + "][" + found.hit().id() + "] didn't store _source"));
    }
    return source;
  }

  /**
   * Copies the document under the same id.
   *
   * @param external whether the copy keeps the version and never replaces a newer one
   */
  static InnerWrites.Write copy(
      String index,
      IndexHit found,
      byte[] source,
      @Nullable String routing,
      boolean create,
      VersionType external) {
    String id = found.hit().id();
    WriteItem plain =
        (create ? WriteItem.create(id, source) : WriteItem.index(id, source)).routedBy(routing);
    WriteItem item =
        external == VersionType.INTERNAL
            ? plain
            : plain.versioned(external, found.hit().stamp().version());
    return new InnerWrites.Write(index, item);
  }
}
