package io.varve.events;

import java.util.List;
import java.util.Objects;

/**
 * A segment that a merge has written and that no manifest names yet: said to replicas, so that
 * their next round finds its files there already.
 *
 * @param id the primary's term and, as generation, a number for each such segment of the term
 * @param sourceUrl the node that has the files
 */
public record MergedSegment(
    ShardId shard, SnapshotId id, String sourceUrl, List<SegmentFile> files) {

  /** What a replica answers. */
  public enum State {
    /** All files are there. */
    ARRIVED,
    UNDER_WAY,
    /** It will not have them. */
    REFUSED
  }

  /**
   * @param missingBytes what is still to come
   */
  public record Answer(State state, long missingBytes) {}

  public MergedSegment {
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(sourceUrl, "sourceUrl");
    files = List.copyOf(files);
  }

  public long totalBytes() {
    return files.stream().mapToLong(SegmentFile::lengthBytes).sum();
  }
}
