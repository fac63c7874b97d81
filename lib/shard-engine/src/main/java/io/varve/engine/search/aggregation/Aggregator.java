package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Partial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/**
 * One aggregation at work on a slice of a shard. Buckets of the aggregation around it are numbered
 * from 0; it keeps figures for each of them. Used by one thread at a time.
 */
interface Aggregator {

  LeafBuckets leaf(LeafReaderContext leaf) throws IOException;

  /** What was found in one bucket of the aggregation around; each bucket is built once. */
  Partial build(int bucket) throws IOException;

  /** What is found where there is no document. */
  Partial empty();

  /**
   * Counts a whole segment without looking at its documents, into bucket 0. False, with nothing
   * counted, where that can't be done.
   *
   * @param match what of the segment matches
   */
  default boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    return false;
  }

  default boolean needsScores() {
    return false;
  }
}
