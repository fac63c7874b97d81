package io.varve.testkit.sim;

/**
 * A copy receives reads as soon as it is started. By then, it shows everything that was reported to
 * clients as visible everywhere, unless no other copy serves.
 */
final class StartedCopyIsNotBehindWhatWasShown implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.SaysStarted(var copy, _, _, long reportedSeqNo)) {
      require(
          copy.visibleSeqNo() >= reportedSeqNo,
          "%s says that it is started and shows %d, and clients were told that %d is visible",
          copy,
          copy.visibleSeqNo(),
          reportedSeqNo);
    }
  }
}
