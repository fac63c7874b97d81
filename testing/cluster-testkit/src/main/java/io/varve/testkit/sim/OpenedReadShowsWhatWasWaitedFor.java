package io.varve.testkit.sim;

/**
 * Nobody who waits for a refresh waits for a copy that is only opened; so a read on it shows what
 * was shown by all others when the read began.
 */
final class OpenedReadShowsWhatWasWaitedFor implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.ReadOfOpened(SimCopy copy, long toldSeqNo)) {
      require(
          copy.visibleSeqNo() >= toldSeqNo,
          "%s shows %d, and clients were told that %d is visible",
          copy,
          copy.visibleSeqNo(),
          toldSeqNo);
    }
  }
}
