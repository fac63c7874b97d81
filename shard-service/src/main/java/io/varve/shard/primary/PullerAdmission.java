package io.varve.shard.primary;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;

/** Decides whether a primary accepts operations and plans from a puller. */
public final class PullerAdmission {

  private PullerAdmission() {}

  /**
   * Refuses the pullers of an index that is no longer a follower, and pullers that were replaced.
   *
   * @throws ApiException 409
   */
  public static void refuseStrangers(IndexMetadata index, long assignment) {
    FollowRelation follow = index.follow();
    if (follow == null) {
      throw new ApiException(
          409, "illegal_state_exception", "index [" + index.name() + "] does not follow another");
    }
    if (assignment < follow.assignment()) {
      throw new ApiException(
          409,
          "stale_assignment_exception",
          "assignment " + assignment + " was superseded by " + follow.assignment());
    }
  }
}
