package io.varve.client.routing;

import java.util.concurrent.atomic.LongAdder;

/**
 * How often shards may be searched again on another copy because a node refused, was late or
 * failed: what makes nodes fail is often load, and must not be answered with more of it.
 *
 * <pre>
 *   tokens ← min({@value #MOST}, tokens + share)   with each shard that is searched
 *   tokens ← tokens − 1                            with each further attempt
 * </pre>
 *
 * <p>So further attempts ≤ share · searches + {@value #MOST} in any window. Copies that are gone do
 * no work, and going on to the next costs nothing here. Thread-safe.
 */
public final class RetryBudget {

  /** Enough for the requests that are under way on a node when it fails. */
  public static final int MOST = 100;

  private final LongAdder spent = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private double share = 0.1;
  private double tokens = MOST;

  synchronized void share(double newShare) {
    share = newShare;
  }

  /** A shard is searched for the first time. */
  synchronized void earn() {
    tokens = Math.min(MOST, tokens + share);
  }

  /** Whether there may be one more attempt, which is then paid for. */
  public synchronized boolean spend() {
    if (tokens < 1) {
      refused.increment();
      return false;
    }
    tokens--;
    spent.increment();
    return true;
  }

  /** Further attempts that were made. */
  long spent() {
    return spent.sum();
  }

  /** Further attempts that were not made. */
  public long refused() {
    return refused.sum();
  }
}
