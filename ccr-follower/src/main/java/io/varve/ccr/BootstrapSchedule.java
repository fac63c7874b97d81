package io.varve.ccr;

import io.varve.ccr.BootstrapDecision.Choice;
import io.varve.ccr.BootstrapDecision.LeaderLog;
import io.varve.events.Manifest;
import io.varve.rpc.BootstrapWire;
import org.jspecify.annotations.Nullable;

/**
 * Decides the steps by which a puller bootstraps an empty primary of a follower.
 *
 * <pre>
 *   the primary awaits a plan   ReadLeader       the newest manifest and the log's bounds
 *                               TakeLease        where the primary will begin to read, by
 *                                                {@link BootstrapDecision}: at the log's first
 *                                                record if it replays, else at the manifest
 *                               ReadLog          again: truncated before the lease was taken?
 *                               Send             the plan
 *   the primary copies          RenewLease
 *   the primary has begun       Done: the pull renews the lease from the cursor on
 * </pre>
 *
 * A lease at the log's first record may be refused because it retains too much; then the manifest
 * is copied. If the log was truncated before the lease was taken, the choice is made again.
 *
 * <p>INVARIANT: when a plan is sent, the leader retains every record that the primary will read
 * under this plan. No I/O: the caller performs a step and reports its result; the report returns
 * the next step. Used by one thread.
 */
public final class BootstrapSchedule {

  /** The next step, which the caller performs. */
  public sealed interface Step {

    /** Read the newest manifest, and then the bounds of the leader's log; report {@link #read}. */
    record ReadLeader() implements Step {}

    /** Take the lease, even if no renewal is due; report {@link #leased}. */
    record TakeLease(long fromOffset) implements Step {}

    /** Read the bounds of the leader's log; report {@link #bounds}. */
    record ReadLog() implements Step {}

    /** A step after which the primary's status is requested again. */
    sealed interface Last extends Step {}

    /** Send the plan to the primary. */
    record Send(Choice choice) implements Last {}

    /** Renew the lease if that is due. */
    record RenewLease(long fromOffset) implements Last {}

    /** No plan is possible now. */
    record Fail(String reason) implements Last {}

    /** The primary needs nothing. */
    record Done() implements Last {}
  }

  private final BootstrapWire.Status status;
  private boolean mustCopy;
  private @Nullable Manifest newest;
  private Choice choice = new Choice.Impossible("nothing was read of the leader");
  private long leasedOffset = Long.MAX_VALUE;

  /**
   * @param status of the primary
   */
  public BootstrapSchedule(BootstrapWire.Status status) {
    this.status = status;
    this.mustCopy = status.mustCopy();
  }

  public Step begin() {
    return switch (status.state()) {
      case BEGUN -> new Step.Done();
      case COPYING -> new Step.RenewLease(status.leaderOffset());
      case AWAITED -> new Step.ReadLeader();
    };
  }

  /**
   * @param published the newest manifest; null if there is none
   */
  public Step read(@Nullable Manifest published, LeaderLog log) {
    newest = published;
    return bounds(log);
  }

  /** The bounds of the leader's log, read again after the lease was taken. */
  public Step bounds(LeaderLog log) {
    choice = BootstrapDecision.decide(log, newest, mustCopy);
    return next();
  }

  /**
   * @param retained whether the leader retains the records from the lease's offset on
   * @param refusal the reason if it does not
   */
  public Step leased(boolean retained, String refusal) {
    if (retained) {
      leasedOffset = neededOffset();
      return new Step.ReadLog();
    }
    if (choice instanceof Choice.Replay && newest != null) {
      mustCopy = true;
      choice = new Choice.Copy(newest);
      return next();
    }
    return new Step.Fail(
        refusal.isEmpty()
            ? "the lease could not be taken"
            : "the lease could not be taken; " + refusal);
  }

  private Step next() {
    if (choice instanceof Choice.Impossible(String reason)) {
      return new Step.Fail(reason);
    }
    return leasedOffset <= neededOffset()
        ? new Step.Send(choice)
        : new Step.TakeLease(neededOffset());
  }

  /** The first record of the leader's log that the primary will need. */
  private long neededOffset() {
    return choice instanceof Choice.Copy copy ? copy.neededOffset() : 0;
  }
}
