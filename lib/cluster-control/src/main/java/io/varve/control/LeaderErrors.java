package io.varve.control;

import io.varve.rpc.ApiException;

/** Errors of commands that do not depend on the command. */
public final class LeaderErrors {

  public static final int MISDIRECTED = 421;

  private LeaderErrors() {}

  /** This coordinator doesn't lead; nothing was done. */
  static ApiException notLeading() {
    return new ApiException(
        MISDIRECTED, "not_cluster_manager_exception", "this coordinator does not lead");
  }

  /** Nothing was done. */
  public static ApiException noLeader(long waitedMillis) {
    return new ApiException(
        503,
        "cluster_manager_not_discovered_exception",
        "no cluster manager was there within [" + waitedMillis + "ms]");
  }

  /** It may have been done or not. */
  public static ApiException unknownOutcome(String reason) {
    return new ApiException(
        503, "process_cluster_event_timeout_exception", "outcome unknown: " + reason);
  }

  /** Not done as a whole. */
  public static ApiException unavailable(String reason) {
    return new ApiException(503, "process_cluster_event_timeout_exception", reason);
  }
}
