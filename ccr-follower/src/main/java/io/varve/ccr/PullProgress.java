package io.varve.ccr;

import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.util.List;

/** Counts what a puller does. All methods may be called from any thread. */
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
  private long newestReadTimestampMillis;
  private long lastReadMillis;

  PullProgress(ShardId shard) {
    this.shard = shard;
  }

  synchronized void resumedAt(ReplicateWire.Cursor cursor) {
    state = State.PULLING;
    followerSeqNo = cursor.globalCheckpoint();
    followerMappingVersion = cursor.mappingVersion();
    leaderSeqNo = Math.max(leaderSeqNo, cursor.nextSeqNo() - 1);
    readOffset = cursor.lastOriginOffset() + 1;
  }

  synchronized void read(List<StoredRecord> batch, long nextOffset, long nowMillis) {
    reads++;
    readOffset = nextOffset;
    leaderEndOffset = Math.max(leaderEndOffset, nextOffset);
    for (StoredRecord stored : batch) {
      operationsRead++;
      bytesRead += stored.record().sizeBytes();
      leaderSeqNo = Math.max(leaderSeqNo, RecordHeader.read(stored.record().header()).seqNo());
      newestReadTimestampMillis = stored.timestampMillis();
    }
    lastReadMillis = nowMillis;
  }

  synchronized void leaderEnd(long endOffset) {
    leaderEndOffset = endOffset;
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
    failedWrites++;
  }

  synchronized void closed() {
    state = State.CLOSED;
  }

  synchronized PullerStats stats(long nowMillis) {
    boolean current = followerSeqNo >= leaderSeqNo && readOffset >= leaderEndOffset;
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
        current || newestReadTimestampMillis == 0
            ? 0
            : Math.max(0, nowMillis - newestReadTimestampMillis),
        lastReadMillis == 0 ? -1 : nowMillis - lastReadMillis,
        lastError);
  }
}
