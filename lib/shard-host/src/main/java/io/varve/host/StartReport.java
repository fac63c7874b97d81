package io.varve.host;

import io.varve.events.ShardId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the copy of a place as started, once it shows what the other copies show: reads go to it
 * as soon as it is reported.
 *
 * <p>A copy must prove this after each opening, even if the cluster state already names the copy as
 * started. That may be due to a report of the previous opening, and no client has waited for the
 * copy since it was opened again.
 *
 * <p>A check may wait for seconds for the log, for the copy and for the primary. It therefore runs
 * on a thread of its own, and the thread of the place remains free: if the copy is promoted or
 * fails meanwhile, the place acts at once, and the outcome of the check is ignored. The check is
 * not interrupted, because an interrupt may close files of the copy; the close of the copy ends its
 * waits.
 */
final class StartReport {

  private static final Logger LOG = LoggerFactory.getLogger(StartReport.class);

  /**
   * The interval at which a copy that does not yet show what other copies show is checked again.
   */
  private static final long SHOW_AGAIN_MILLIS = 100;

  /** The end of the check wakes the place. */
  static final long UNTIL_CHECKED = Long.MAX_VALUE;

  /** The outcome of a check. */
  private sealed interface Outcome {

    /**
     * The copy may be reported.
     *
     * @param admittedIn the term of the primary that admitted it; null if it needs none
     * @param provenFrom the version that {@link StartProof} returned
     */
    record Proven(@Nullable Long admittedIn, long provenFrom) implements Outcome {}

    record Behind() implements Outcome {}

    record Unknown(Throwable failure) implements Outcome {}
  }

  private final NodeContext node;
  private final ShardId shard;
  private final LeaderReports leader;
  private final Executor checks;
  private final Runnable checked;
  private StartProof proof = new StartProof();
  private boolean proven;
  private @Nullable CompletableFuture<Outcome> check;

  /**
   * @param checks runs the checks, which may block
   * @param checked called after each check, so that the place calls {@link #of} again
   */
  StartReport(
      NodeContext node, ShardId shard, LeaderReports leader, Executor checks, Runnable checked) {
    this.node = node;
    this.shard = shard;
    this.leader = leader;
    this.checks = checks;
    this.checked = checked;
  }

  /** Another copy is open, and has proven nothing yet. */
  void opened() {
    proof = new StartProof();
    proven = false;
    check = null;
  }

  /** Whether the open copy has proven that it may start. */
  boolean isProven() {
    return proven;
  }

  /**
   * Begins a check, or acts on the outcome of the one that has begun. Never waits for a check.
   *
   * @return the maximum time in milliseconds to wait for a change before the next call
   */
  long of(Goal.Copy assignment, ShardCopy copy) {
    CompletableFuture<Outcome> begun = check;
    if (begun == null) {
      check = begin(copy, proof);
      return UNTIL_CHECKED;
    }
    if (!begun.isDone()) {
      return UNTIL_CHECKED;
    }
    check = null;
    return switch (begun.join()) {
      case Outcome.Proven shown -> proven(assignment, copy, shown);
      case Outcome.Behind _ -> {
        LOG.info("{} is not started: it does not show yet what other copies show", shard);
        yield SHOW_AGAIN_MILLIS;
      }
      case Outcome.Unknown(Error error) -> throw error;
      case Outcome.Unknown(Throwable failure) -> {
        LOG.warn("{} is not started: what other copies show is unknown", shard, failure);
        yield SHOW_AGAIN_MILLIS;
      }
    };
  }

  private long proven(Goal.Copy assignment, ShardCopy copy, Outcome.Proven shown) {
    proven = true;
    return assignment.reported()
        ? 0
        : leader.started(assignment, copy.fork(), shown.admittedIn(), shown.provenFrom());
  }

  private CompletableFuture<Outcome> begin(ShardCopy copy, StartProof of) {
    of.begin(node.cluster().current().version());
    CompletableFuture<Outcome> begun = new CompletableFuture<>();
    try {
      checks.execute(() -> {
        begun.complete(outcome(copy, of));
        checked.run();
      });
    } catch (RejectedExecutionException e) {
      begun.complete(new Outcome.Unknown(e));
      checked.run();
    }
    return begun;
  }

  private Outcome outcome(ShardCopy copy, StartProof of) {
    try {
      if (!copy.showNewest(LeaderReports.CALL_TIMEOUT)) {
        return new Outcome.Behind();
      }
      long provenFrom = of.end();
      Admission.Outcome admission = new Admission(node, shard).of(copy, LeaderReports.CALL_TIMEOUT);
      return admission.mayStart()
          ? new Outcome.Proven(admission.term(), provenFrom)
          : new Outcome.Behind();
    } catch (Exception | Error e) {
      return new Outcome.Unknown(e);
    }
  }
}
