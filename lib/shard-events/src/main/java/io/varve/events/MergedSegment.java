package io.varve.events;

import java.util.List;
import java.util.Objects;

/**
 * A merged segment that no manifest names yet, announced to replicas so that they can fetch its
 * files before their next round.
 *
 * @param id the primary's term and, as generation, a number unique within the term
 * @param sourceUrl the node that has the files
 */
public record MergedSegment(
    ShardId shard, SnapshotId id, String sourceUrl, List<SegmentFile> files) {

  /** Answer of a replica. */
  public enum State {
    /** All files are present. */
    ARRIVED,
    UNDER_WAY,
    /** The replica will not fetch the files. */
    REFUSED
  }

  /**
   * @param missingBytes the bytes still to be fetched
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
