package io.varve.selection;

import io.varve.selection.SelectionSettings.Hedging;

/**
 * How much is asked twice: hedges and shadows together, as a share of first requests.
 *
 * <pre>
 *   tokens ← min(a fifth of what {@value #WINDOW} requests may cost and at least {@value #FOR_A_HEDGE},
 *                tokens + four fifths of the share)
 *   hedge    takes a token and leaves one for a shadow
 *   shadow   takes a token; one a second is free where there is none
 * </pre>
 *
 * <p>It begins with nothing. So extra work ≤ share · requests from the first request on, and in any
 * window of {@value #WINDOW} requests; what is left for bursts is what was not used before. The one
 * free shadow a second only ever comes where fewer requests are sent than pay for it, 25 a second
 * at a share of 5 %: there a node must not wait for traffic to be found well. A share of 0 leaves
 * not even that. Thread-safe.
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
    // A small share saves up longer for a hedge, and is no share of nothing.
    double most = Math.max(FOR_A_HEDGE, FOR_BURSTS * settings.budget() * WINDOW);
    tokens = Math.min(most, tokens + (1 - FOR_BURSTS) * settings.budget());
  }

  synchronized boolean mayHedge() {
    return tokens >= FOR_A_HEDGE;
  }

  /** Takes a token, if a hedge may have one. */
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

  /** It is sent, whoever else was told meanwhile that it may be. */
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
