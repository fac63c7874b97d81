package io.varve.engine;

import io.varve.events.SegmentFile;
import java.util.List;

/**
 * Told of each segment that a merge has written, before it becomes a part of the index.
 *
 * <p>The segment takes its parts' place when {@link #merged} returns: no refresh shows it earlier.
 * Other merges, refreshes and commits go on meanwhile. What it throws is no reason to give up the
 * merge and must not reach it.
 */
@FunctionalInterface
public interface MergeWatch {

  MergeWatch NONE = files -> {};

  /** On the thread of the merge; the files are complete and never changed. */
  void merged(List<SegmentFile> files);
}
