package io.varve.testkit.sim;

import io.varve.events.Operation;

/**
 * After all faults are healed, every copy shows every acked write or a newer one of its document.
 */
final class AckedWriteReachesEveryCopy implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Quiet)) {
      return;
    }
    for (SimCopy copy : world.routedCopies(world.leaderShard())) {
      for (Write write : world.clients().writes()) {
        if (write.answer == Write.Answer.ACKED && write.shard().equals(copy.shard())) {
          Operation shown = copy.visible().get(write.item().id());
          require(
              copy.visibleSeqNo() >= write.seqNo && shown != null && shown.seqNo() >= write.seqNo,
              "%s is not on %s, which shows %d",
              write,
              copy,
              copy.visibleSeqNo());
        }
      }
    }
  }
}
