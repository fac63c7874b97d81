package io.varve.host;

/** For a place whose state the test reads itself. */
final class NobodyWatches implements HostedCopy.Watcher {

  @Override
  public void opened() {}

  @Override
  public void closing(ShardCopy copy) {}

  @Override
  public void ended() {}
}
