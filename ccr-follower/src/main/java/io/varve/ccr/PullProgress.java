package io.varve.ccr;

import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state and the counters of a puller.
 *
 * <pre>
 *   WAITING           -&gt; PULLING   the leader's log continues what the follower holds
 *   LOST, REFUSED     -&gt; PULLING   operations were carried over, or the leader's end is reached
 *   all but CLOSED    -&gt; WAITING, LOST, REFUSED    after a failure
 *   all but CLOSED    -&gt; BOOTSTRAPPING    the primary is empty and is bootstrapped
 *   BOOTSTRAPPING     -&gt; PULLING   as from WAITING
 *   all               -&gt; CLOSED
 * </pre>
 *
 * The start of a new attempt does not end LOST or REFUSED, so the reason stays visible while
 * attempts keep failing. Thread-safe.
 */
public final class PullProgress {

  /** See {@link ShardPuller}. */
  public enum State {
    WAITING,
    BOOTSTRAPPING,
    PULLING,
    LOST,
    REFUSED,
    DELETED,
    CLOSED
  }

  private final ShardId shard;
  private final LeaderLag lag;
  private State state = State.WAITING;
  private String lastError = "";
  private long leaderSeqNo = -1;
  private long followerSeqNo = -1;
  private long followerMaxSeqNo = -1;
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
  private Supplier<ArrivedBatches.Buffered> buffer = () -> ArrivedBatches.Buffered.NOTHING;
  private boolean writing;
  private long readMillis;
  private long writeMillis;
  private long failedReads;
  private long retries;
  private long duplicatesSkipped;
  private long gapsDetected;
  private long lastGapOffset = -1;
  private PullerStats.@Nullable Refused refused;
  private String notReplaced = "";

  public PullProgress(ShardId shard, long nowMillis) {
    this.shard = shard;
    this.lag = new LeaderLag(nowMillis);
  }

  ShardId shard() {
    return shard;
  }

  /** The follower's primary answered with its cursor. */
  public synchronized void cursor(ReplicateWire.Cursor cursor) {
    followerSeqNo = cursor.globalCheckpoint();
    followerMaxSeqNo = cursor.maxSeqNo();
    followerMappingVersion = cursor.mappingVersion();
    leaderSeqNo = Math.max(leaderSeqNo, cursor.nextSeqNo() - 1);
    readOffset = cursor.lastOriginOffset() + 1;
    lag.resume(readOffset);
  }

  /**
   * A pull begins.
   *
   * @param buffered the operations that were read and not sent
   */
  synchronized void arriving(Supplier<ArrivedBatches.Buffered> buffered) {
    buffer = buffered;
  }

  /** The leader's log continues what the follower holds; reading begins. */
  synchronized void resumed() {
    if (state == State.WAITING || state == State.BOOTSTRAPPING) {
      state = State.PULLING;
    }
  }

  /**
   * @param waitedMillis time since the previous read was delivered
   */
  synchronized void read(
      List<StoredRecord> batch, long nextOffset, long nowMillis, long waitedMillis) {
    if (!batch.isEmpty()) {
      reads++;
      readMillis += waitedMillis;
    }
    readOffset = nextOffset;
    leaderEndOffset = Math.max(leaderEndOffset, nextOffset);
    for (StoredRecord stored : batch) {
      operationsRead++;
      bytesRead += stored.record().sizeBytes();
      leaderSeqNo = Math.max(leaderSeqNo, RecordHeader.read(stored.record().header()).seqNo());
    }
    lastReadMillis = nowMillis;
  }

  /** Records an end offset of the leader's log and the time at which it was requested. */
  synchronized void leaderEnd(long endOffset, long requestedMillis) {
    leaderEndOffset = endOffset;
    lag.leaderEnd(endOffset, requestedMillis);
    pullingIfCurrent();
  }

  /**
   * Records at which offset the leader's log ended at some moment, of which it is only known that
   * it was not before {@code sinceMillis}.
   */
  synchronized void leaderEnded(long endOffset, long sinceMillis) {
    leaderEndOffset = Math.max(leaderEndOffset, endOffset);
    lag.leaderEnd(endOffset, sinceMillis);
  }

  /** The follower holds all accepted operations before that offset. */
  synchronized void heldTo(long nextOffset) {
    lag.heldTo(nextOffset);
  }

  /** Whether the follower has reached every known end offset of the leader's log. */
  synchronized boolean isCurrent() {
    return lag.isCurrent();
  }

  private void pullingIfCurrent() {
    if (lag.isCurrent()) {
      succeeded();
    }
  }

  /** Operations are sent to the follower's primary. */
  synchronized void sending() {
    writing = true;
  }

  /** The follower's primary answered, or the request timed out. */
  synchronized void sent(long tookMillis) {
    writing = false;
    writeMillis += tookMillis;
  }

  synchronized void held(ReplicateWire.Answer answer, int operations) {
    succeeded();
    lastGapOffset = -1;
    writes++;
    int applied = Math.min(operations, answer.applied());
    operationsWritten += applied;
    duplicatesSkipped += operations - applied;
    followerSeqNo = Math.max(followerSeqNo, answer.seqNo());
    followerMaxSeqNo = Math.max(followerMaxSeqNo, answer.seqNo());
  }

  private void succeeded() {
    state = State.PULLING;
    refused = null;
    notReplaced = "";
    lastError = "";
    retries = 0;
  }

  public synchronized void failed(State next, String reason) {
    state = next;
    lastError = reason;
    retries++;
  }

  /** The leader could not be read. */
  synchronized void failedRead(String reason) {
    failed(State.WAITING, reason);
    failedReads++;
  }

  /** The leader's history is lost. Returns whether that, or the reason, is new. */
  synchronized boolean lost(String reason) {
    boolean isNew = state != State.LOST || !lastError.equals(reason);
    failed(State.LOST, reason);
    failedReads++;
    return isNew;
  }

  /** Why the leader's history is lost; empty if it is not. */
  public synchronized Optional<String> lossReason() {
    return state == State.LOST ? Optional.of(lastError) : Optional.empty();
  }

  /** The follower lost its leader's history, but the request for its replacement failed. */
  synchronized void notReplaced(String reason) {
    notReplaced = reason;
  }

  /** The follower's primary is empty and is being bootstrapped. */
  synchronized void bootstrapping(BootstrapWire.Status status) {
    state = State.BOOTSTRAPPING;
    lastError = status.reason();
  }

  /** The follower's primary did not hold what it was sent. */
  synchronized void failedWrite(State next, String reason) {
    failed(next, reason);
    failedWrites++;
  }

  /** The operation because of which the follower's primary refused a request, if there is one. */
  synchronized void refused(PullerStats.@Nullable Refused operation) {
    refused = operation;
  }

  /** A record of the leader can't be decoded; an operator can skip it. */
  synchronized void unreadable(LeaderOperations.Unreadable record) {
    failed(State.REFUSED, record.reason());
    failedReads++;
    refused = new PullerStats.Refused(record.offset(), record.seqNo());
  }

  /**
   * The leader's log was read at that offset, and the predecessors of its operation were not
   * accepted. Returns whether that was not known since the follower last received operations.
   */
  synchronized boolean isNewGap(long offset) {
    boolean isNew = offset > lastGapOffset;
    lastGapOffset = Math.max(lastGapOffset, offset);
    return isNew;
  }

  /** The follower's primary refused operations because it lacks earlier ones. */
  synchronized void gap() {
    gapsDetected++;
  }

  synchronized void closed() {
    state = State.CLOSED;
  }

  private long unreadRecords() {
    return Math.max(0, leaderEndOffset - readOffset);
  }

  private PullerStats.Activity activity() {
    ArrivedBatches.Buffered buffered = buffer.get();
    long meanBytes = operationsRead == 0 ? 0 : bytesRead / operationsRead;
    return new PullerStats.Activity(
        buffered.reads(),
        writing ? 1 : 0,
        buffered.operations(),
        buffered.bytes(),
        readMillis,
        writeMillis,
        failedReads,
        retries,
        buffered.bytes() + unreadRecords() * meanBytes,
        duplicatesSkipped,
        gapsDetected);
  }

  public synchronized PullerStats stats(long nowMillis) {
    long leaderEndSeqNo = leaderSeqNo + unreadRecords();
    return new PullerStats(
        shard.indexUuid(),
        shard.number(),
        state.name(),
        leaderEndSeqNo,
        leaderEndSeqNo,
        followerSeqNo,
        Math.max(followerSeqNo, followerMaxSeqNo),
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
        lastReadMillis == 0 ? -1 : Math.max(0, nowMillis - lastReadMillis),
        state == State.LOST && !notReplaced.isEmpty()
            ? lastError + "; it can't be replaced yet: " + notReplaced
            : lastError,
        activity(),
        state == State.REFUSED ? refused : null);
  }
}
