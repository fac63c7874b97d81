package io.varve.shard.primary;

import io.varve.cluster.FormerLog;

/**
 * Decides the steps in which an empty primary takes over the operations of a former leader index up
 * to the fork.
 *
 * <pre>
 *   state         report                                    step
 *   NEW           begin                                     AppendFence
 *   FENCING       fenced                                    CheckLog
 *   CHECKING      Diverged                                  Refuse
 *                 Whole, or Incomplete                      Quarantine
 *   QUARANTINING  quarantined; the log is whole             Replay
 *                 the log has all from some operation up
 *                   to the fork                             ContinuePinned
 *                 it lacks the fork                         CopySegments
 *   CONTINUING    continued                                 Begin
 *                 no commit is pinned                       CopySegments
 *   REPLAYING     replayed                                  Begin
 * </pre>
 *
 * <p>INVARIANT: operations are put in quarantine after the fence was appended, and the folder gets
 * its content after that. No operation that the former index accepts is therefore lost with it.
 * Each step may be repeated by another primary, with a new schedule. No I/O: the owner executes
 * each step and reports its result. Reports in the wrong state throw. Not thread-safe.
 */
public final class FailbackSchedule {

  /** The next step. */
  public sealed interface Step {

    /** Append a fence of the term after the last one to the former log. */
    record AppendFence() implements Step {}

    /** Check what the former log holds. */
    record CheckLog() implements Step {}

    /**
     * Copy the operations between the fork and the fence to the quarantine topic.
     *
     * @param hasFork whether the former log has the record of the fork
     */
    record Quarantine(boolean hasFork) implements Step {}

    /** Apply the former log up to the fork to an empty folder. */
    record Replay() implements Step {}

    /** Apply the former log up to the fork to a commit that was pinned on this node. */
    record ContinuePinned() implements Step {}

    /** The folder has the operations up to the fork. The end. */
    record Begin() implements Step {}

    /**
     * Copy the promoted index's segments: the former log lacks operations before the fork. The end.
     */
    record CopySegments(String reason) implements Step {}

    /** Fail: operations of the former index would be lost. The end. */
    record Refuse(String reason) implements Step {}
  }

  private enum State {
    NEW,
    FENCING,
    CHECKING,
    QUARANTINING,
    CONTINUING,
    REPLAYING,
    ENDED
  }

  private State state = State.NEW;
  private boolean isWhole;
  private boolean hasFork;
  private String lacks = "";

  public Step begin() {
    move(State.NEW, State.FENCING);
    return new Step.AppendFence();
  }

  /** The fence is in the former log. */
  public Step fenced() {
    move(State.FENCING, State.CHECKING);
    return new Step.CheckLog();
  }

  public Step checked(FormerLog.Check check) {
    move(State.CHECKING, State.QUARANTINING);
    return switch (check) {
      case FormerLog.Check.Diverged(String reason) -> {
        state = State.ENDED;
        yield new Step.Refuse(reason);
      }
      case FormerLog.Check.Incomplete(String reason, boolean present) -> {
        lacks = reason;
        hasFork = present;
        yield new Step.Quarantine(present);
      }
      case FormerLog.Check.Whole _ -> {
        isWhole = true;
        hasFork = true;
        yield new Step.Quarantine(true);
      }
    };
  }

  /** The quarantine topic has all operations between the fork and the fence. */
  public Step quarantined() {
    if (isWhole) {
      move(State.QUARANTINING, State.REPLAYING);
      return new Step.Replay();
    }
    move(State.QUARANTINING, State.CONTINUING);
    return hasFork ? new Step.ContinuePinned() : continued(false);
  }

  /**
   * @param found whether a commit was pinned; if so, the folder has its content and the operations
   *     after it, up to the fork
   */
  public Step continued(boolean found) {
    move(State.CONTINUING, State.ENDED);
    return found ? new Step.Begin() : new Step.CopySegments(lacks);
  }

  /** The folder has the operations up to the fork. */
  public Step replayed() {
    move(State.REPLAYING, State.ENDED);
    return new Step.Begin();
  }

  private void move(State from, State to) {
    if (state != from) {
      throw new IllegalStateException("expected state " + from + ", was " + state);
    }
    state = to;
  }
}
