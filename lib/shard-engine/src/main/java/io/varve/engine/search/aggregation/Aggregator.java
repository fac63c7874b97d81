package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Partial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/**
 * An aggregation on one slice of a shard. It keeps data for each bucket of its parent aggregation,
 * numbered from 0. Used by one thread at a time.
 */
interface Aggregator {

  LeafBuckets leaf(LeafReaderContext leaf) throws IOException;

  /** Builds the result for one bucket of the parent; each bucket is built once. */
  Partial build(int bucket) throws IOException;

  /** The result without any document. */
  Partial empty();

  /**
   * Counts a whole segment into bucket 0 without visiting its documents. Returns false, with
   * nothing counted, if that is not possible.
   *
   * @param match the matching documents of the segment
   */
  default boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    return false;
  }

  default boolean needsScores() {
    return false;
  }
}
