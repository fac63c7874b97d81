package io.varve.host;

/** Ignores all notifications; for tests that read the state of the copy themselves. */
final class IgnoringWatcher implements HostedCopy.Watcher {

  @Override
  public void opened() {}

  @Override
  public void closing(ShardCopy copy) {}

  @Override
  public void ended() {}
}
