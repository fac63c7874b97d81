package io.varve.testkit.sim;

import io.varve.events.Operation;

/**
 * A copy holds only accepted operations, and all of them up to the seq_no that it shows. A follower
 * that began with its leader's segments may show later operations of its leader that are in them.
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
          check(shown.copy(), world.logs().acceptedLog(shown.copy().shard()), world);
      default -> {}
    }
  }

  private void check(SimCopy copy, AcceptedLog acceptedLog, World world) {
    for (Operation operation : copy.visible().values()) {
      require(
          acceptedLog.holds(operation) || isOfItsLeader(copy, operation, world),
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

  private static boolean isOfItsLeader(SimCopy copy, Operation operation, World world) {
    return copy.shard().equals(World.FOLLOWER)
        && operation.origin() == null
        && world.logs().acceptedLog(World.LEADER).holds(operation);
  }
}
