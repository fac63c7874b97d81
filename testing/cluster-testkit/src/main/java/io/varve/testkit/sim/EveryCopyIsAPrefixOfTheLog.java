package io.varve.testkit.sim;

import io.varve.events.Operation;

/**
 * A copy shows only accepted operations, and all of them up to the seq_no that it shows. This also
 * holds for a follower that began with its leader's segments, which may have later operations than
 * its own log: it shows nothing before its own log also has them.
 */
final class EveryCopyIsAPrefixOfTheLog implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Taken taken ->
          require(
              world.logs().acceptedLog(taken.copy().shard()).holds(taken.operation()),
              "%s took seq_no %d of term %d at %d, which is not accepted",
              taken.copy(),
              taken.operation().seqNo(),
              taken.operation().term(),
              taken.offset());
      case Observation.Shown shown ->
          check(shown.copy(), world.logs().acceptedLog(shown.copy().shard()));
      default -> {}
    }
  }

  private void check(SimCopy copy, AcceptedLog acceptedLog) {
    for (Operation operation : copy.visible().values()) {
      require(
          acceptedLog.holds(operation) || isCopied(copy, operation, acceptedLog),
          "%s shows %s, never accepted",
          copy,
          operation);
    }
    for (String id : acceptedLog.ids()) {
      Operation newest = acceptedLog.newest(id, copy.visibleSeqNo());
      Operation shown = copy.visible().get(id);
      require(
          newest == null || (shown != null && shown.seqNo() >= newest.seqNo()),
          "%s shows up to %d but lacks %s",
          copy,
          copy.visibleSeqNo(),
          newest);
    }
  }

  /** Whether the log has the operation, which was copied with the term of the leader's primary. */
  private static boolean isCopied(SimCopy copy, Operation operation, AcceptedLog acceptedLog) {
    AcceptedLog.Accepted there = acceptedLog.at(operation.seqNo());
    return World.isFollower(copy.shard())
        && operation.origin() == null
        && there != null
        && there.isSameAs(operation);
  }
}
