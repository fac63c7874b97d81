package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import java.util.Map;

/** The heartbeats of nodes as a coordinator received them, by the clock of its process. */
public interface NodeSigns {

  /**
   * Whether any heartbeats arrive; if none do, missing heartbeats of a node do not indicate a
   * failure.
   */
  boolean hears();

  /** The newest heartbeat of each node, by node id. */
  Map<String, Membership.Sign> signs();

  /** The disk usage of nodes, by node id. */
  Map<String, DiskUsage> disks();

  /** When reception began; a node without any heartbeat is treated as if one had arrived then. */
  long listeningSinceMillis();

  /** When a coordinator last announced that it leads in that term, or when reception began. */
  long leaderHeardMillis(long term);

  /**
   * Registers a callback for the first heartbeat of a process, and for the first one after a period
   * without any heartbeats. It must not block.
   */
  ClusterView.Registration onNews(Runnable listener);
}
