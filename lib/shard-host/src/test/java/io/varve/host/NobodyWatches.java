package io.varve.host;

/** Of a place that the test itself asks how it is. */
final class NobodyWatches implements HostedCopy.Watcher {

  @Override
  public void opened() {}

  @Override
  public void closing(ShardCopy copy) {}

  @Override
  public void ended() {}
}
