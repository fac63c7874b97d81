package io.varve.shard.replicated;

import io.varve.rpc.ShardReplication.Contradiction;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this process for the primaries of one shard, in all terms. Thread-safe.
 *
 * <p>INVARIANT: the counters never decrease while the process runs, even if its primaries change.
 */
public final class ShardRereplication {

  /** How long a job without a step keeps its claim of the shard; longer than any of its steps. */
  static final long CLAIM_MILLIS = 600_000;

  private final DurationHistogram durations = new DurationHistogram();
  private final LongAdder successes = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder timeouts = new LongAdder();
  private long exoneratedBefore;
  private @Nullable ReplicationWatch open;
  private String job = "";
  private long claimedUntilMillis;

  /** A record of which a copy holds a later version is read again, which queries that version. */
  void ended(Confirmation.Outcome outcome, long nanos) {
    switch (outcome) {
      case Confirmation.Outcome.Replicated _ -> successes.increment();
      case Confirmation.Outcome.Contradicted _ -> errors.increment();
      case Confirmation.Outcome.OutOfTime _, Confirmation.Outcome.Unable _ -> timeouts.increment();
      case Confirmation.Outcome.Newer _ -> {
        return;
      }
    }
    durations.add(nanos);
  }

  synchronized void opened(ReplicationWatch primary) {
    open = primary;
  }

  /** Does nothing if a later primary was opened. */
  @SuppressWarnings("ReferenceEquality")
  synchronized void closed(ReplicationWatch primary) {
    if (open == primary) {
      exoneratedBefore += primary.exonerated();
      open = null;
    }
  }

  /**
   * Claims the shard for a job.
   *
   * @return false if another job has claimed it
   */
  public synchronized boolean claim(String newJob, long nowMillis) {
    if (!job.isEmpty() && !job.equals(newJob) && nowMillis < claimedUntilMillis) {
      return false;
    }
    job = newJob;
    claimedUntilMillis = nowMillis + CLAIM_MILLIS;
    return true;
  }

  public synchronized void release(String ended) {
    if (job.equals(ended)) {
      job = "";
    }
  }

  RereplicationCounts counts() {
    return new RereplicationCounts(
        successes.sum(), errors.sum(), timeouts.sum(), durations.counts());
  }

  /** Records that the copies' progress proved to be replicated. */
  synchronized long exonerated() {
    return exoneratedBefore + (open == null ? 0 : open.exonerated());
  }

  /** The contradictions that the present primary has detected. */
  List<Contradiction> contradictions() {
    ReplicationWatch primary;
    synchronized (this) {
      primary = open;
    }
    return primary == null ? List.of() : primary.contradictions();
  }

  /** The comparison of the present primary; null if there is none. */
  DigestAppeal.@Nullable Progress appeal() {
    ReplicationWatch primary;
    synchronized (this) {
      primary = open;
    }
    return primary == null ? null : primary.appeal();
  }

  /** Documents in state 2 or 3; 0 without a primary. */
  long unreplicatedRecords() {
    ReplicationWatch primary;
    synchronized (this) {
      primary = open;
    }
    return primary == null ? 0 : primary.unreplicatedRecords();
  }
}
