package io.varve.ccr;

/**
 * Confirms that the leader's history is lost: each attempt of {@link #CONFIRMED_MILLIS} found it
 * lost. A restarting broker can report an earlier end of its log until its replicas have answered.
 * Copying the leader again would be unnecessary in that case. No I/O. Used by one thread.
 */
public final class LossConfirmation {

  static final long CONFIRMED_MILLIS = 10_000;

  private static final long NOT_LOST = -1;

  private long lostSinceMillis = NOT_LOST;

  /** Adds the result of an attempt; returns whether the loss is confirmed. */
  public boolean add(boolean lost, long nowMillis) {
    if (!lost) {
      lostSinceMillis = NOT_LOST;
      return false;
    }
    if (lostSinceMillis == NOT_LOST) {
      lostSinceMillis = nowMillis;
    }
    return nowMillis - lostSinceMillis >= CONFIRMED_MILLIS;
  }
}
