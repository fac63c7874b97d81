package io.varve.testkit.sim;

/** A copy is started only if everything that it shows is on its own disk. */
final class StartedCopyHoldsWhatItShows implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.SaysStarted(var copy, var shown, var disk, _)) {
      require(disk.holdsAll(shown.files()), "%s says that it is started without %s", copy, shown);
    }
  }
}
