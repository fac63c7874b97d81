package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.VersionType;
import io.varve.search.SearchReducer.IndexHit;
import io.varve.search.ShardHit;
import org.jspecify.annotations.Nullable;

/** What is written for a hit. */
final class HitWrites {

  private static final byte[] NOTHING = {};

  private HitWrites() {}

  /** Of the very version that was found. */
  static InnerWrites.Write delete(IndexHit found) {
    ShardHit hit = found.hit();
    WriteItem item =
        new WriteItem(
            WriteItem.Kind.DELETE,
            hit.id(),
            false,
            hit.routing(),
            hit.stamp().seqNo(),
            hit.stamp().primaryTerm(),
            VersionType.INTERNAL,
            WriteItem.UNASSIGNED,
            NOTHING,
            0,
            0);
    return new InnerWrites.Write(found.index(), item);
  }

  /** The document as it is, in place of the very version that was found. */
  static InnerWrites.Write sameAgain(IndexHit found) {
    ShardHit hit = found.hit();
    byte[] source = source(found);
    WriteItem item =
        new WriteItem(
            WriteItem.Kind.INDEX,
            hit.id(),
            false,
            hit.routing(),
            hit.stamp().seqNo(),
            hit.stamp().primaryTerm(),
            VersionType.INTERNAL,
            WriteItem.UNASSIGNED,
            source,
            0,
            source.length);
    return new InnerWrites.Write(found.index(), item);
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
   * A copy under the same id.
   *
   * @param external whether the copy keeps the version, and an older one does not replace a newer
   */
  static InnerWrites.Write copy(
      String index,
      IndexHit found,
      byte[] source,
      @Nullable String routing,
      boolean create,
      VersionType external) {
    WriteItem item =
        new WriteItem(
            create ? WriteItem.Kind.CREATE : WriteItem.Kind.INDEX,
            found.hit().id(),
            false,
            routing,
            WriteItem.UNASSIGNED,
            0,
            external,
            external == VersionType.INTERNAL ? WriteItem.UNASSIGNED : found.hit().stamp().version(),
            source,
            0,
            source.length);
    return new InnerWrites.Write(index, item);
  }
}
