package io.varve.shard.primary;

/**
 * Decides the order in which a primary replays the log and appends the fence of its term.
 *
 * <pre>
 *   state         input                step
 *   CATCHING_UP   the log's end        CatchUp to that end, while much is missing; else AppendFence
 *   FENCING       the fence's offset   ReplayToFence
 *   REPLAYING     replayed             Open
 *   ENDED         -
 * </pre>
 *
 * An earlier primary may still be writing while this one catches up. The fence is appended late, so
 * that writes pause only while the operations after the last pass are replayed. Each pass has less
 * to read than the one before it, and their number is limited: an earlier primary may write as fast
 * as this one replays.
 *
 * <p>INVARIANT: offsets only increase. A log that ends before an offset that was read has lost
 * records, and nothing may be appended to it.
 *
 * <p>No threads, no I/O: the owner carries out each step and reports. Illegal reports throw. Not
 * thread-safe.
 */
public final class RecoverySchedule {

  private static final int MOST_PASSES = 5;

  /** Fewer records are applied sooner than the log's end is asked for once more. */
  private static final int FEW_RECORDS = 50;

  /** The next step. */
  public sealed interface Step {

    /** Apply everything up to and including that offset, then ask for the log's end. */
    record CatchUp(long lastOffset) implements Step {}

    /** Append the fence of the term. */
    record AppendFence() implements Step {}

    /** Apply everything up to that fence. */
    record ReplayToFence(long fenceOffset) implements Step {}

    /** Everything that was ever accepted before the fence is applied. */
    record Open() implements Step {}

    /** The log was read up to {@code nextOffset} and now ends at {@code endOffset}. */
    record LogWentBack(long nextOffset, long endOffset) implements Step {}
  }

  private enum State {
    CATCHING_UP,
    FENCING,
    REPLAYING,
    ENDED
  }

  private State state = State.CATCHING_UP;
  private long nextOffset;
  private int passes;

  /** {@code nextOffset} is the first offset that is not applied. */
  public RecoverySchedule(long nextOffset) {
    if (nextOffset < 0) {
      throw new IllegalArgumentException("next offset must be >= 0, was " + nextOffset);
    }
    this.nextOffset = nextOffset;
  }

  /** The scheduled operations are applied, and the log ends there now. */
  public Step logEndsAt(long endOffset) {
    require(State.CATCHING_UP);
    if (endOffset < nextOffset) {
      return wentBack(endOffset);
    }
    long missing = endOffset - nextOffset;
    if (missing == 0 || passes == MOST_PASSES || (passes > 0 && missing <= FEW_RECORDS)) {
      state = State.FENCING;
      return new Step.AppendFence();
    }
    passes++;
    nextOffset = endOffset;
    return new Step.CatchUp(endOffset - 1);
  }

  /** The log has the fence at that offset. */
  public Step fenced(long fenceOffset) {
    require(State.FENCING);
    if (fenceOffset < nextOffset) {
      return wentBack(fenceOffset);
    }
    state = State.REPLAYING;
    return new Step.ReplayToFence(fenceOffset);
  }

  /** Everything up to the fence is applied. */
  public Step replayed() {
    require(State.REPLAYING);
    state = State.ENDED;
    return new Step.Open();
  }

  private Step wentBack(long endOffset) {
    state = State.ENDED;
    return new Step.LogWentBack(nextOffset, endOffset);
  }

  private void require(State expected) {
    if (state != expected) {
      throw new IllegalStateException("expected state " + expected + ", was " + state);
    }
  }
}
