package io.varve.testkit.sim;

/**
 * A {@code wait_for} does not wait for copies that are only opened, so a read on such a copy must
 * itself show what all other copies showed when the read began.
 */
final class OpenedReadShowsWhatWasWaitedFor implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.ReadOfOpened(SimCopy copy, long reportedSeqNo)) {
      requireShown(copy, reportedSeqNo);
    }
  }
}
