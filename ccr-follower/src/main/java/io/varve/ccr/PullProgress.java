package io.varve.ccr;

import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.util.List;

/**
 * Counts what a puller does, and keeps its state.
 *
 * <pre>
 *   WAITING           -&gt; PULLING   the leader's log continues what the follower holds
 *   LOST, REFUSED     -&gt; PULLING   operations were carried over, or the leader's end is reached
 *   all but CLOSED    -&gt; WAITING, LOST, REFUSED    after a failure
 *   all               -&gt; CLOSED
 * </pre>
 *
 * So an attempt that fails again does not hide the reason of the last one. Thread-safe.
 */
final class PullProgress {

  /** See {@link ShardPuller}. */
  enum State {
    WAITING,
    PULLING,
    LOST,
    REFUSED,
    CLOSED
  }

  private final ShardId shard;
  private final LeaderLag lag;
  private State state = State.WAITING;
  private String lastError = "";
  private long leaderSeqNo = -1;
  private long followerSeqNo = -1;
  private long followerMappingVersion;
  private long operationsRead;
  private long operationsWritten;
  private long bytesRead;
  private long reads;
  private long writes;
  private long failedWrites;
  private long leaderEndOffset;
  private long readOffset;
  private long lastReadMillis;

  PullProgress(ShardId shard, long nowMillis) {
    this.shard = shard;
    this.lag = new LeaderLag(nowMillis);
  }

  ShardId shard() {
    return shard;
  }

  /** The follower's primary answered with what it holds. */
  synchronized void cursor(ReplicateWire.Cursor cursor) {
    followerSeqNo = cursor.globalCheckpoint();
    followerMappingVersion = cursor.mappingVersion();
    leaderSeqNo = Math.max(leaderSeqNo, cursor.nextSeqNo() - 1);
    readOffset = cursor.lastOriginOffset() + 1;
    lag.resume(readOffset);
  }

  /** The leader's log continues what the follower holds; reading begins. */
  synchronized void resumed() {
    if (state == State.WAITING) {
      state = State.PULLING;
    }
  }

  synchronized void read(List<StoredRecord> batch, long nextOffset, long nowMillis) {
    reads++;
    readOffset = nextOffset;
    leaderEndOffset = Math.max(leaderEndOffset, nextOffset);
    for (StoredRecord stored : batch) {
      operationsRead++;
      bytesRead += stored.record().sizeBytes();
      leaderSeqNo = Math.max(leaderSeqNo, RecordHeader.read(stored.record().header()).seqNo());
    }
    lastReadMillis = nowMillis;
  }

  /** The leader's log had that end when it was requested. */
  synchronized void leaderEnd(long endOffset, long requestedMillis) {
    leaderEndOffset = endOffset;
    lag.leaderEnd(endOffset, requestedMillis);
    pullingIfCurrent();
  }

  /** The follower holds all accepted operations before that offset. */
  synchronized void heldTo(long nextOffset) {
    lag.heldTo(nextOffset);
  }

  /** Whether the follower has reached every end of the leader's log that is known. */
  synchronized boolean isCurrent() {
    return lag.isCurrent();
  }

  private void pullingIfCurrent() {
    if (lag.isCurrent()) {
      state = State.PULLING;
      lastError = "";
    }
  }

  synchronized void held(ReplicateWire.Answer answer, int operations) {
    state = State.PULLING;
    lastError = "";
    writes++;
    operationsWritten += Math.min(operations, answer.applied());
    followerSeqNo = Math.max(followerSeqNo, answer.seqNo());
  }

  synchronized void failed(State next, String reason) {
    state = next;
    lastError = reason;
  }

  /** The leader's history is lost. Returns whether that, or the reason, is new. */
  synchronized boolean lost(String reason) {
    boolean isNew = state != State.LOST || !lastError.equals(reason);
    failed(State.LOST, reason);
    return isNew;
  }

  /** The follower's primary did not hold what it was sent. */
  synchronized void failedWrite(State next, String reason) {
    failed(next, reason);
    failedWrites++;
  }

  synchronized void closed() {
    state = State.CLOSED;
  }

  synchronized PullerStats stats(long nowMillis) {
    return new PullerStats(
        shard.indexUuid(),
        shard.number(),
        state.name(),
        leaderSeqNo,
        leaderSeqNo,
        followerSeqNo,
        followerSeqNo,
        leaderSeqNo,
        operationsRead,
        operationsWritten,
        bytesRead,
        reads,
        writes,
        failedWrites,
        followerMappingVersion,
        leaderEndOffset,
        readOffset,
        lag.millis(nowMillis),
        lastReadMillis == 0 ? -1 : nowMillis - lastReadMillis,
        lastError);
  }
}
