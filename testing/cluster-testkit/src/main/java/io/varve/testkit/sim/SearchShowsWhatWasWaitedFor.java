package io.varve.testkit.sim;

/**
 * A search on a started copy shows everything that was reported to clients as visible everywhere
 * before the search began.
 */
final class SearchShowsWhatWasWaitedFor implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.Searched(SimCopy copy, long reportedSeqNo)) {
      requireShown(copy, reportedSeqNo);
    }
  }
}
