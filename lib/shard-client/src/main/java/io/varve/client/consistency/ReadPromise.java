package io.varve.client.consistency;

import io.varve.events.SessionToken;

/**
 * The requirement of a read on the copies that answer it.
 *
 * @param session writes that they must show
 * @param maxStalenessMillis they must show everything that was in the log this long ago, 0 for
 *     everything in the log at the time of the call, -1 for no requirement
 * @param timeoutMillis limit of the wait, -1 for the cluster's default
 */
public record ReadPromise(SessionToken session, long maxStalenessMillis, long timeoutMillis) {

  public static final ReadPromise NONE = new ReadPromise(SessionToken.NONE, -1, -1);

  public ReadPromise {
    if (maxStalenessMillis < -1 || timeoutMillis < -1) {
      throw new IllegalArgumentException(
          "a promise of staleness " + maxStalenessMillis + " within " + timeoutMillis);
    }
  }

  /** Requires only the session's writes. */
  public static ReadPromise of(SessionToken session) {
    return new ReadPromise(session, -1, -1);
  }

  /** Requires everything in the log at the time of the call. */
  public ReadPromise strong() {
    return new ReadPromise(session, 0, timeoutMillis);
  }

  /** Whether any copy may answer. */
  public boolean isNone() {
    return session.isEmpty() && maxStalenessMillis < 0;
  }
}
