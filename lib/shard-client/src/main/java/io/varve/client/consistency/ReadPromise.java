package io.varve.client.consistency;

import io.varve.events.SessionToken;

/**
 * What a read asks of the copies that answer it.
 *
 * @param session they show these writes
 * @param maxStalenessMillis they show all that was in the log so long ago, 0 for all that is in it
 *     when they are asked, -1 for whatever they show
 * @param timeoutMillis how long that may take, -1 for what the cluster says
 */
public record ReadPromise(SessionToken session, long maxStalenessMillis, long timeoutMillis) {

  public static final ReadPromise NONE = new ReadPromise(SessionToken.NONE, -1, -1);

  public ReadPromise {
    if (maxStalenessMillis < -1 || timeoutMillis < -1) {
      throw new IllegalArgumentException(
          "a promise of staleness " + maxStalenessMillis + " within " + timeoutMillis);
    }
  }

  /** That they show these writes, and nothing else. */
  public static ReadPromise of(SessionToken session) {
    return new ReadPromise(session, -1, -1);
  }

  /** They show all that is in the log when they are asked. */
  public ReadPromise strong() {
    return new ReadPromise(session, 0, timeoutMillis);
  }

  /** Whether any copy may answer. */
  public boolean isNone() {
    return session.isEmpty() && maxStalenessMillis < 0;
  }
}
