package io.varve.client.routing;

import java.util.concurrent.atomic.LongAdder;

/**
 * Limits how often shards are searched again on another copy after a node refused, was late or
 * failed: overload is a frequent cause, which retries must not amplify.
 *
 * <pre>
 *   tokens ← min({@value #MOST}, tokens + share)   with each shard that is searched
 *   tokens ← tokens − 1                            with each retry
 * </pre>
 *
 * <p>In any window, retries ≤ share · searches + {@value #MOST}. A retry after a copy that no
 * longer exists is free, because that copy did no work. Thread-safe.
 */
public final class RetryBudget {

  /** Enough for the requests in progress on a node when it fails. */
  public static final int MOST = 100;

  private final LongAdder spent = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private double share = 0.1;
  private double tokens = MOST;

  synchronized void share(double newShare) {
    share = newShare;
  }

  /** Records the first attempt at a shard. */
  synchronized void earn() {
    tokens = Math.min(MOST, tokens + share);
  }

  /** Takes a token for a retry; false if there is none. */
  public synchronized boolean spend() {
    if (tokens < 1) {
      refused.increment();
      return false;
    }
    tokens--;
    spent.increment();
    return true;
  }

  /** Retries that were made. */
  long spent() {
    return spent.sum();
  }

  /** Retries that were refused. */
  public long refused() {
    return refused.sum();
  }
}
