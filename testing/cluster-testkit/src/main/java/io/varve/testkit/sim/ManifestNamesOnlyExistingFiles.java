package io.varve.testkit.sim;

/**
 * A primary has the files of each manifest that it appends, and the segment store has those of each
 * manifest that counts as stored. A copy that shows a manifest has all of its files, byte for byte.
 */
final class ManifestNamesOnlyExistingFiles implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Published published ->
          require(
              published.disk().holdsAll(published.manifest().files()),
              "published without its files: %s",
              published.manifest());
      case Observation.Stored stored ->
          require(
              world.store().wasGiven(stored.manifest()),
              "counts as stored before the store has its files: %s",
              stored.manifest());
      case Observation.Installed installed ->
          require(
              installed.disk().holdsAll(installed.manifest().files()),
              "%s installed %s without all files",
              installed.copy(),
              installed.manifest());
      default -> {}
    }
  }
}
