package io.varve.testkit.sim;

import io.varve.events.Operation;

/**
 * After all faults are healed, copies of an index show no operation that was written before the
 * index was created.
 */
final class RecreatedIndexHoldsNothingOfTheDeletedOne implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Quiet)) {
      return;
    }
    for (SimCopy copy : world.routedCopies(world.leaderShard())) {
      for (Operation shown : copy.visible().values()) {
        require(
            !world.indices().writtenBeforeTheDeletion(shown),
            "%s shows %s of the index that was deleted",
            copy,
            shown);
      }
    }
  }
}
