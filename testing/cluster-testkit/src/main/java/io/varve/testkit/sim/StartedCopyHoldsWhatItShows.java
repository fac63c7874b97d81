package io.varve.testkit.sim;

/** A copy counts only when all that it shows is on its own disk, whoever else has it. */
final class StartedCopyHoldsWhatItShows implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.SaysStarted(var copy, var shown, var disk, _)) {
      require(disk.holdsAll(shown.files()), "%s says that it is started without %s", copy, shown);
    }
  }
}
