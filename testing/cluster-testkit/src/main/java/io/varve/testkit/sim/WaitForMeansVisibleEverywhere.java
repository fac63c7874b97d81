package io.varve.testkit.sim;

/** A client that waits for visibility is answered only when every started copy shows its write. */
final class WaitForMeansVisibleEverywhere implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.WaitedFor waited) {
      for (SimCopy copy : waited.copies()) {
        require(
            !copy.alive() || copy.visibleSeqNo() >= waited.write().seqNo,
            "%s, but %s shows %d",
            waited.write(),
            copy,
            copy.visibleSeqNo());
      }
    }
  }
}
