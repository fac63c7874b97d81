package io.varve.engine;

import io.varve.events.SegmentFile;
import java.util.List;

/**
 * A listener that is called with each merged segment before the segment becomes part of the index.
 *
 * <p>The segment replaces its sources when {@link #merged} returns: no refresh makes it visible
 * earlier. Other merges, refreshes and commits continue meanwhile. Implementations must not throw:
 * a failure here must not abort the merge.
 */
@FunctionalInterface
public interface MergeWatch {

  MergeWatch NONE = files -> {};

  /** Called on the merge thread; the files are complete and immutable. */
  void merged(List<SegmentFile> files);
}
