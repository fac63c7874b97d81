package io.varve.testkit.sim;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import io.varve.control.Membership;
import io.varve.control.NodeSigns;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The heartbeats of nodes, read without regard to whether the log could deliver any. Used only in
 * mutated histories.
 */
final class CarelessSigns implements NodeSigns {

  private final NodeSigns signs;
  private final LongSupplier nowMillis;

  CarelessSigns(NodeSigns signs, LongSupplier nowMillis) {
    this.signs = signs;
    this.nowMillis = nowMillis;
  }

  @Override
  public Heard heard(String nodeId) {
    long lastMillis = signs.heard(nodeId).lastMillis();
    return new Heard(lastMillis, nowMillis.getAsLong() - lastMillis);
  }

  @Override
  public Map<String, Membership.Sign> signs() {
    return signs.signs();
  }

  @Override
  public Map<String, DiskUsage> disks() {
    return signs.disks();
  }

  @Override
  public long leaderSilentMillis(long term, long sinceMillis) {
    return signs.leaderSilentMillis(term, sinceMillis);
  }

  @Override
  public ClusterView.Registration onNews(Runnable listener) {
    return signs.onNews(listener);
  }
}
