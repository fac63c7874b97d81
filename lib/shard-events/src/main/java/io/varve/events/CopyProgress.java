package io.varve.events;

import org.jspecify.annotations.Nullable;

/**
 * The state that a copy reports in the topic {@code progress}, after each change and at least every
 * 30 s while it exists. Until the next report, heartbeats of its node confirm the last one.
 *
 * @param copyId the allocation id of the copy; the record's key
 * @param state {@code STARTING}, {@code REPLAYING}, {@code COPYING}, {@link #OPENED}, {@code
 *     STARTED}, {@code GATE_CLOSED} or {@code FAILED}
 * @param term of a primary; for a replica the term of the manifest that it serves, or of its newest
 *     operation
 * @param generation the manifest generation that it serves, -1 for none
 * @param appliedOffset the offset up to which all operations are applied (exclusive)
 * @param appliedSeqNo the highest seq_no up to which all operations are applied, -1 for none
 * @param visibleSeqNo the highest seq_no up to which all operations are visible to searches, -1 for
 *     none
 * @param bytesBehind bytes of files named by the newest manifest that this copy still lacks
 * @param checkpointsBehind manifests published but not yet served here
 * @param millisBehind age of the oldest known manifest or operation that is not yet visible, 0 when
 *     up to date
 * @param lastLagMillis delay between publishing and serving the last manifest, or -1
 * @param failure the reason for which this copy can't continue although it is not reallocated;
 *     {@code null} if it is healthy, and in records of versions without this field
 */
public record CopyProgress(
    String copyId,
    ShardId shard,
    String nodeId,
    boolean primary,
    String state,
    long term,
    long generation,
    long appliedOffset,
    long appliedSeqNo,
    long visibleSeqNo,
    long bytesBehind,
    long checkpointsBehind,
    long millisBehind,
    long lastLagMillis,
    long filesFetched,
    long bytesFetched,
    long timestampMillis,
    @Nullable String failure) {

  /** The copy answers searches while its files are still being fetched. */
  public static final String OPENED = "OPENED";

  /** The copy can't continue. */
  public static final String FAILED = "FAILED";

  /** Progress of a healthy copy. */
  public CopyProgress(
      String copyId,
      ShardId shard,
      String nodeId,
      boolean primary,
      String state,
      long term,
      long generation,
      long appliedOffset,
      long appliedSeqNo,
      long visibleSeqNo,
      long bytesBehind,
      long checkpointsBehind,
      long millisBehind,
      long lastLagMillis,
      long filesFetched,
      long bytesFetched,
      long timestampMillis) {
    this(
        copyId,
        shard,
        nodeId,
        primary,
        state,
        term,
        generation,
        appliedOffset,
        appliedSeqNo,
        visibleSeqNo,
        bytesBehind,
        checkpointsBehind,
        millisBehind,
        lastLagMillis,
        filesFetched,
        bytesFetched,
        timestampMillis,
        null);
  }

  /** Whether both report the same, regardless of their times. */
  public boolean equalsExceptTime(CopyProgress other) {
    return equals(other.at(timestampMillis));
  }

  private CopyProgress at(long millis) {
    return new CopyProgress(
        copyId,
        shard,
        nodeId,
        primary,
        state,
        term,
        generation,
        appliedOffset,
        appliedSeqNo,
        visibleSeqNo,
        bytesBehind,
        checkpointsBehind,
        millisBehind,
        lastLagMillis,
        filesFetched,
        bytesFetched,
        millis,
        failure);
  }
}
