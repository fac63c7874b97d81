package io.varve.selection;

import io.varve.selection.SelectionSettings.Hedging;

/**
 * The common budget for duplicate requests (hedges and shadows), as a share of first requests.
 *
 * <pre>
 *   tokens ← min(a fifth of what {@value #WINDOW} requests may cost and at least {@value #FOR_A_HEDGE},
 *                tokens + four fifths of the share)
 *   hedge    takes a token and leaves one for a shadow
 *   shadow   takes a token; one a second is free where there is none
 * </pre>
 *
 * <p>It starts empty, so extra work ≤ share · requests holds from the first request on and over any
 * window of {@value #WINDOW} requests; bursts use only saved tokens. The free shadow per second
 * applies only below the request rate that would pay for it, 25 per second at a share of 5 %, so
 * that a recovered node is detected without traffic. A share of 0 disables it as well. Thread-safe.
 */
final class ExtraWork {

  private static final int WINDOW = 1_000;
  private static final double FOR_BURSTS = 0.2;
  private static final int FOR_A_HEDGE = 2;
  private static final long FREE_SHADOW_NANOS = 1_000_000_000;

  private double tokens;
  private long shadowNanos;
  private boolean begun;

  synchronized void firstSent(Hedging settings, long nowNanos) {
    if (settings.budget() == 0) {
      begun = false;
      tokens = 0;
      return;
    }
    if (!begun) {
      begun = true;
      shadowNanos = nowNanos;
    }
    // A small share must still be able to save up for a hedge; a share of 0 must not.
    double most = Math.max(FOR_A_HEDGE, FOR_BURSTS * settings.budget() * WINDOW);
    tokens = Math.min(most, tokens + (1 - FOR_BURSTS) * settings.budget());
  }

  synchronized boolean mayHedge() {
    return tokens >= FOR_A_HEDGE;
  }

  /** Takes a token if a hedge is allowed. */
  synchronized boolean hedge() {
    if (!mayHedge()) {
      return false;
    }
    tokens--;
    return true;
  }

  synchronized boolean mayShadow(long nowNanos) {
    return tokens >= 1 || isFree(nowNanos);
  }

  /** Records a sent shadow, even if another one was allowed concurrently. */
  synchronized void shadowSent(long nowNanos) {
    if (tokens >= 1 || !isFree(nowNanos)) {
      tokens--;
    }
    shadowNanos = nowNanos;
  }

  private boolean isFree(long nowNanos) {
    return begun && nowNanos - shadowNanos >= FREE_SHADOW_NANOS;
  }
}
