package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import java.util.Map;

/** The heartbeats of nodes as a coordinator received them, by the clock of its process. */
public interface NodeSigns {

  /** Whether any heartbeats arrive; otherwise the silence of a node has no meaning. */
  boolean hears();

  /** The newest heartbeat of each node, by node id. */
  Map<String, Membership.Sign> signs();

  /** The disk usage of nodes, by node id. */
  Map<String, DiskUsage> disks();

  /** When listening began; a node without any heartbeat counts as heard at that time. */
  long listeningSinceMillis();

  /** When a coordinator last announced that it leads in that term, or when listening began. */
  long leaderHeardMillis(long term);

  /**
   * Registers a callback for the first heartbeat of a process, and for the first one after a
   * silence of the log; it must not block.
   */
  ClusterView.Registration onNews(Runnable listener);
}
