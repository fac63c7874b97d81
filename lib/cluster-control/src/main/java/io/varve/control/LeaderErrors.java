package io.varve.control;

import io.varve.rpc.ApiException;
import io.varve.rpc.UnreadRequest;
import java.net.http.HttpResponse;

/** Errors of commands that do not depend on the command. */
public final class LeaderErrors {

  public static final int MISDIRECTED = 421;

  private LeaderErrors() {}

  /** Whether the command was not executed, so that it can be sent to the leader. */
  public static boolean isMisdirected(HttpResponse<?> response) {
    return response.statusCode() == MISDIRECTED
        || response.headers().firstValue(UnreadRequest.HEADER).isPresent();
  }

  /** This coordinator doesn't lead; the command was not applied. */
  public static ApiException notLeading() {
    return new ApiException(
        MISDIRECTED, "not_cluster_manager_exception", "this coordinator does not lead");
  }

  /** The command was not applied. */
  public static ApiException noLeader(long waitedMillis) {
    return new ApiException(
        503,
        "cluster_manager_not_discovered_exception",
        "no cluster manager was found within [" + waitedMillis + "ms]");
  }

  /** The command may or may not have been applied. */
  public static ApiException unknownOutcome(String reason) {
    return new ApiException(
        503, "process_cluster_event_timeout_exception", "outcome unknown: " + reason);
  }

  /** The command was not applied completely. */
  public static ApiException unavailable(String reason) {
    return new ApiException(503, "process_cluster_event_timeout_exception", reason);
  }
}
