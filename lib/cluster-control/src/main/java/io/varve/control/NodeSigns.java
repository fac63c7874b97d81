package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import java.util.Map;

/** The signs of life of nodes as a coordinator has heard them, by the clock of its process. */
public interface NodeSigns {

  /** Whether heartbeats arrive at all; while they do not, silence says nothing of a node. */
  boolean hears();

  /** The newest sign of each node, by node id. */
  Map<String, Membership.Sign> signs();

  /** How full the disks of nodes are, by node id. */
  Map<String, DiskUsage> disks();

  /** When listening began; a node never heard of counts as heard then. */
  long listeningSinceMillis();

  /** When a coordinator last announced that it leads in that term, or when listening began. */
  long leaderHeardMillis(long term);

  /** Called when a process is heard of for the first time, or the log again; must not block. */
  ClusterView.Registration onNews(Runnable listener);
}
