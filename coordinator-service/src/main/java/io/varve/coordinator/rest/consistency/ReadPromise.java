package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.TimeValues;
import io.varve.coordinator.rest.RestRequest;
import io.varve.events.SessionToken;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

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

  /** The parameters of a request and its session. */
  public static ReadPromise of(RestRequest request) {
    long staleness = millis(request, "max_staleness", Long.MAX_VALUE);
    long timeout = millis(request, "consistency_timeout", ClusterSettings.MAX_READ_TIMEOUT_MILLIS);
    boolean strong =
        switch (request.param("consistency")) {
          case null -> false;
          case "eventual" -> false;
          case "strong" -> true;
          case String other ->
              throw new ApiException(
                  ErrorBody.illegalArgument(
                      "[consistency] must be eventual or strong, was [" + other + "]"));
        };
    return new ReadPromise(request.session(), strong ? 0 : staleness, timeout);
  }

  private static long millis(RestRequest request, String name, long most) {
    String value = request.param(name);
    if (value == null) {
      return -1;
    }
    long millis = TimeValues.parseMillis(name, value);
    if (millis < 0 || millis > most) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "["
                  + name
                  + "] must be a duration of 0 "
                  + (most == Long.MAX_VALUE ? "or more" : "to " + most + "ms")
                  + ", was ["
                  + value
                  + "]"));
    }
    return millis;
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
