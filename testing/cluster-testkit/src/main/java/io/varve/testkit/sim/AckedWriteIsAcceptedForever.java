package io.varve.testkit.sim;

/**
 * An acked write is in the log exactly as it was acked, and accepted. A rejected write is not in
 * the log and never will be.
 */
final class AckedWriteIsAcceptedForever implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Answered answered -> check(answered.write(), world);
      case Observation.Landed landed -> {
        AcceptedLog.Accepted accepted =
            world.logs().acceptedLog(landed.shard()).acceptedAt(landed.offset());
        Write write = accepted == null ? null : world.clients().writeOf(accepted.operation());
        require(
            write == null || write.answer != Write.Answer.REFUSED,
            "%s landed at %d",
            write,
            landed.offset());
      }
      case Observation.Quiet quiet -> world.clients().writes().forEach(w -> check(w, world));
      default -> {}
    }
  }

  private void check(Write write, World world) {
    if (write.answer == Write.Answer.ACKED) {
      AcceptedLog.Accepted there = world.logs().acceptedLog(write.shard()).at(write.seqNo);
      require(there != null, "%s is not in the log", write);
      require(
          there.operation().term() == write.term
              && there.operation().version() == write.version
              && there.operation().id().equals(write.item().id()),
          "%s but the log holds %s",
          write,
          there);
      byte[] source = there.operation().source();
      require(source == null || write.wrote(source), "%s but the log holds another value", write);
    }
  }
}
