package io.varve.shard.primary;

import io.varve.log.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Decides the order of the steps in which a primary recovers, from the content of its folder up to
 * the fence of its term.
 *
 * <pre>
 *   state         report                                     step
 *   NEW           begin                                      VerifyPublished
 *   VERIFYING     verified, the index is remote-backed       ClaimStore
 *                 verified                                   Compare
 *   CLAIMING      claimed                                    Compare
 *   COMPARING     the log has all that the folder lacks      OpenFolder
 *                   but fetching it is faster                FetchFromStore
 *                 the log lacks it, the store has it         FetchFromStore
 *                 the log lacks it                           CopyFromPeer
 *   FETCHING      filled                                     OpenFolder
 *                 failed, and the log may have it            Compare, ignoring the store
 *                 failed                                     CopyFromPeer
 *   COPYING       filled                                     OpenFolder
 *   OPENING       opened                                     VerifyApplied
 *   CATCHING_UP   the log's end                              CatchUp to that end, while much is
 *                                                            missing; else AppendFence
 *                 the same, the index is strongly            VerifyHeldByOthers, once, before
 *                 consistent                                 AppendFence
 *   ASKING        the position of the others                 the log's end is reported again
 *   FENCING       the fence's offset                         ReplayToFence
 *   REPLAYING     replayed what the others hold              OpenGate
 *                 replayed less                              LogLacksHeld
 *   ENDED         -
 * </pre>
 *
 * An earlier primary may still be writing while this one catches up. The fence is appended late, so
 * that writes pause only while the operations after the last pass are replayed. Each pass has less
 * to read than the one before it. The number of passes is limited, because an earlier primary may
 * write as fast as this one replays.
 *
 * <p>INVARIANTS: nothing is claimed or appended before the log is verified to hold the operations
 * that the shard's manifests show. No fence is appended before the log is verified to hold the
 * operations in the folder and, for a strongly consistent index, those of the other copies: a get
 * may have returned an operation that only other copies hold, although no manifest shows it.
 * Offsets only increase: if the log ends before an offset that was read, it has lost records.
 *
 * <p>A failed step ends the recovery, unless the failure is in the table; the next recovery begins
 * with a new schedule. No threads, no I/O: the owner executes each step and reports its result.
 * Reports in the wrong state throw. Not thread-safe.
 */
public final class RecoverySchedule {

  /**
   * Up to this number of operations, replaying the log is faster than fetching files from a store.
   */
  public static final long MAX_REPLAYED_OPERATIONS = 20_000;

  private static final int MOST_PASSES = 5;

  /** For fewer records than this, another catch-up pass costs more than it saves. */
  private static final int FEW_RECORDS = 50;

  /** The next step. */
  public sealed interface Step {}

  /** A step that leads to an open folder. */
  public sealed interface FolderStep extends Step {

    /**
     * Verify that the log holds what the shard's newest manifests show and, if the index is
     * remote-backed, what the folder contains.
     */
    record VerifyPublished() implements FolderStep {}

    /** Claim the term for the segment store. */
    record ClaimStore() implements FolderStep {}

    /** Report the {@link Content}: the positions of folder, store and log. */
    record Compare() implements FolderStep {}

    /** Fill the folder with the files of the stored manifest. */
    record FetchFromStore() implements FolderStep {}

    /** Fill the folder with the files of another copy. */
    record CopyFromPeer() implements FolderStep {}

    /** Open the folder's last commit. */
    record OpenFolder() implements FolderStep {}
  }

  /** A step that leads to an open gate. */
  public sealed interface LogStep extends Step {

    /**
     * Verify that the log holds what the opened folder contains, then report the end of the log.
     */
    record VerifyApplied() implements LogStep {}

    /** Apply everything up to and including that offset, then report the end of the log. */
    record CatchUp(long lastOffset) implements LogStep {}

    /**
     * Verify that the log holds what each other copy holds, then report {@link #othersHold} and the
     * end of the log.
     */
    record VerifyHeldByOthers() implements LogStep {}

    /** Append the fence of the term. */
    record AppendFence() implements LogStep {}

    /** Apply everything up to that fence. */
    record ReplayToFence(long fenceOffset) implements LogStep {}

    /** Open the gate: everything that was accepted before the fence is applied. */
    record OpenGate() implements LogStep {}

    /** Stop: the log was read up to {@code nextOffset} and now ends at {@code endOffset}. */
    record LogWentBack(long nextOffset, long endOffset) implements LogStep {}

    /**
     * Stop: another copy had everything before {@code heldSeqNo}, and the log before the fence ends
     * earlier.
     */
    record LogLacksHeld(long nextSeqNo, long heldSeqNo) implements LogStep {}
  }

  /**
   * The sources of operations.
   *
   * @param folder the position of the folder's last commit
   * @param stored the position of the manifest that the claim of the store found; {@code null} for
   *     none
   * @param logStart the first offset that the log still has
   */
  public record Content(LogPosition folder, @Nullable LogPosition stored, long logStart) {

    boolean logLacksRecords() {
      return folder.nextOffset() < logStart;
    }
  }

  private enum State {
    NEW,
    VERIFYING,
    CLAIMING,
    COMPARING,
    FETCHING,
    COPYING,
    OPENING,
    CATCHING_UP,
    ASKING,
    FENCING,
    REPLAYING,
    ENDED
  }

  private final boolean remoteBacked;
  private final boolean asksOthers;
  private final long maxReplayedOperations;
  private State state = State.NEW;
  private boolean onlyStored;
  private boolean fetchFailed;
  private long nextOffset;
  private int passes;
  private boolean asked;
  private long heldSeqNo;

  public RecoverySchedule(boolean remoteBacked, boolean asksOthers) {
    this(remoteBacked, asksOthers, MAX_REPLAYED_OPERATIONS);
  }

  /**
   * @param asksOthers whether the index is strongly consistent
   * @param maxReplayedOperations the maximum number of operations that are replayed even if the
   *     store has them
   */
  public RecoverySchedule(boolean remoteBacked, boolean asksOthers, long maxReplayedOperations) {
    this.remoteBacked = remoteBacked;
    this.asksOthers = asksOthers;
    this.maxReplayedOperations = maxReplayedOperations;
  }

  public FolderStep begin() {
    move(State.NEW, State.VERIFYING);
    return new FolderStep.VerifyPublished();
  }

  /** The log was verified to hold everything that was published. */
  public FolderStep verified() {
    move(State.VERIFYING, remoteBacked ? State.CLAIMING : State.COMPARING);
    return remoteBacked ? new FolderStep.ClaimStore() : new FolderStep.Compare();
  }

  /** The store is claimed, and no higher term has claimed it. */
  public FolderStep claimed() {
    move(State.CLAIMING, State.COMPARING);
    return new FolderStep.Compare();
  }

  public FolderStep compared(Content content) {
    require(State.COMPARING);
    LogPosition folder = content.folder();
    LogPosition stored = fetchFailed ? null : content.stored();
    if (stored != null && stored.nextSeqNo() > folder.nextSeqNo()) {
      // The first operations of a restored index were never in its log.
      onlyStored = stored.nextOffset() <= folder.nextOffset() || content.logLacksRecords();
      if (onlyStored || stored.nextSeqNo() - folder.nextSeqNo() > maxReplayedOperations) {
        state = State.FETCHING;
        return new FolderStep.FetchFromStore();
      }
    }
    return content.logLacksRecords() ? copyFromPeer() : openFolder();
  }

  /** Fetching from the store failed: it does not answer, or lacks files. */
  public FolderStep fetchFailed() {
    require(State.FETCHING);
    fetchFailed = true;
    if (onlyStored) {
      return copyFromPeer();
    }
    state = State.COMPARING;
    return new FolderStep.Compare();
  }

  /** The folder was filled from the store or from another copy. */
  public FolderStep filled() {
    if (state != State.COPYING) {
      require(State.FETCHING);
    }
    return openFolder();
  }

  private FolderStep copyFromPeer() {
    state = State.COPYING;
    return new FolderStep.CopyFromPeer();
  }

  private FolderStep openFolder() {
    state = State.OPENING;
    return new FolderStep.OpenFolder();
  }

  /** The folder is open; {@code nextOffset} is the first offset that is not applied. */
  public LogStep opened(long nextOffset) {
    if (nextOffset < 0) {
      throw new IllegalArgumentException("next offset must be >= 0, was " + nextOffset);
    }
    move(State.OPENING, State.CATCHING_UP);
    this.nextOffset = nextOffset;
    return new LogStep.VerifyApplied();
  }

  /** The verification or catch-up succeeded, and the log now ends at that offset. */
  public LogStep logEndsAt(long endOffset) {
    require(State.CATCHING_UP);
    if (endOffset < nextOffset) {
      return wentBack(endOffset);
    }
    long missing = endOffset - nextOffset;
    if (missing == 0 || passes == MOST_PASSES || (passes > 0 && missing <= FEW_RECORDS)) {
      state = asksOthers && !asked ? State.ASKING : State.FENCING;
      return state == State.ASKING ? new LogStep.VerifyHeldByOthers() : new LogStep.AppendFence();
    }
    passes++;
    nextOffset = endOffset;
    return new LogStep.CatchUp(endOffset - 1);
  }

  /**
   * The log holds everything that the other copies hold; one of them holds everything before {@code
   * nextSeqNo}.
   */
  public void othersHold(long nextSeqNo) {
    move(State.ASKING, State.CATCHING_UP);
    asked = true;
    heldSeqNo = nextSeqNo;
  }

  /** The log has the fence at that offset. */
  public LogStep fenced(long fenceOffset) {
    require(State.FENCING);
    if (fenceOffset < nextOffset) {
      return wentBack(fenceOffset);
    }
    state = State.REPLAYING;
    return new LogStep.ReplayToFence(fenceOffset);
  }

  /** Everything up to the fence is applied: all operations before {@code nextSeqNo}. */
  public LogStep replayed(long nextSeqNo) {
    move(State.REPLAYING, State.ENDED);
    return nextSeqNo < heldSeqNo
        ? new LogStep.LogLacksHeld(nextSeqNo, heldSeqNo)
        : new LogStep.OpenGate();
  }

  private LogStep wentBack(long endOffset) {
    state = State.ENDED;
    return new LogStep.LogWentBack(nextOffset, endOffset);
  }

  private void move(State from, State to) {
    require(from);
    state = to;
  }

  private void require(State expected) {
    if (state != expected) {
      throw new IllegalStateException("expected state " + expected + ", was " + state);
    }
  }
}
