package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import java.util.Map;

/** The heartbeats of nodes as a coordinator received them, by the clock of its process. */
public interface NodeSigns {

  /**
   * The last sign of life of a node.
   *
   * @param lastMillis when its last heartbeat arrived; long ago if none did
   * @param silentMillis the time since then in which this coordinator provably received heartbeats,
   *     see {@link Reception}
   */
  record Heard(long lastMillis, long silentMillis) {}

  Heard heard(String nodeId);

  /** The newest heartbeat of each node, by node id. */
  Map<String, Membership.Sign> signs();

  /** The disk usage of nodes, by node id. */
  Map<String, DiskUsage> disks();

  /**
   * The time in which this coordinator provably received heartbeats, but none in which a node
   * announced that it leads in that term.
   *
   * @param sinceMillis no earlier time counts
   */
  long leaderSilentMillis(long term, long sinceMillis);

  /**
   * Registers a callback. It is called for the first heartbeat of a process, and when this
   * coordinator receives heartbeats again after a gap. It must not block.
   */
  ClusterView.Registration onNews(Runnable listener);
}
