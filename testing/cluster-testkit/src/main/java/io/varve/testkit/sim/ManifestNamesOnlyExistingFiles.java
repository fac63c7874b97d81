package io.varve.testkit.sim;

/**
 * Files are stored before their manifest is appended, and a copy that shows a manifest has all of
 * its files, byte for byte.
 */
final class ManifestNamesOnlyExistingFiles implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Published published -> {
        require(
            published.disk().holdsAll(published.manifest().files()),
            "published without its files: %s",
            published.manifest());
        require(
            !world.indices().hasStore(published.manifest().shard())
                || world.store().wasGiven(published.manifest()),
            "published before the store had its files: %s",
            published.manifest());
      }
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
