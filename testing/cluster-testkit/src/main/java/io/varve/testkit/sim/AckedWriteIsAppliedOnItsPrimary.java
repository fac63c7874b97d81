package io.varve.testkit.sim;

/** A primary acks a write when it has applied it, so that a refresh from then on shows it. */
final class AckedWriteIsAppliedOnItsPrimary implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.Acked(var primary, var item, var done)) {
      require(
          primary.hasApplied(item.id(), done.seqNo()),
          "%s acked seq_no %d of %s, which it has not applied",
          primary,
          done.seqNo(),
          item.id());
    }
  }
}
