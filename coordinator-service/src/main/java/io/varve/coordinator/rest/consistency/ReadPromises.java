package io.varve.coordinator.rest.consistency;

import io.varve.client.consistency.ReadPromise;
import io.varve.cluster.ClusterSettings;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.text.TimeValues;

/**
 * Reads the parameters {@code consistency}, {@code max_staleness} and {@code consistency_timeout}.
 */
public final class ReadPromises {

  private ReadPromises() {}

  /** The promise that the request's parameters and session require. */
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
}
