package io.varve.testkit.sim;

/** A primary acks a write only after applying it, so that every later refresh shows it. */
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
