package io.varve.events;

import org.jspecify.annotations.Nullable;

/**
 * What one copy says of itself, in the topic {@code progress}, after each step and at least once a
 * second while it lives.
 *
 * @param copyId the allocation id of the copy; the record's key
 * @param state {@code STARTING}, {@code REPLAYING}, {@code COPYING}, {@link #OPENED}, {@code
 *     STARTED}, {@code GATE_CLOSED} or {@code FAILED}
 * @param term for a primary its term; for a replica the term of the manifest that it shows, or of
 *     its newest operation
 * @param generation the manifest generation that it shows, -1 for none
 * @param appliedOffset the offset up to which all operations are applied (exclusive)
 * @param appliedSeqNo the highest seq_no up to which all operations are applied, -1 for none
 * @param visibleSeqNo the highest seq_no up to which all operations are visible to searches, -1 for
 *     none
 * @param bytesBehind bytes of files named by the newest manifest that this copy still lacks
 * @param checkpointsBehind manifests published and not yet shown here
 * @param millisBehind age of the oldest manifest or operation that is known and not yet shown, 0
 *     when current
 * @param lastLagMillis from the publishing of the last manifest shown here to its being shown, or
 *     -1
 * @param failure why this copy goes no further and is not given to another node; {@code null} when
 *     it is well, and in the records of versions that don't say
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

  /** A copy that answers searches though its files are still on their way. */
  public static final String OPENED = "OPENED";

  /** A copy that can't go on. */
  public static final String FAILED = "FAILED";

  /** Of a copy that is well. */
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
}
