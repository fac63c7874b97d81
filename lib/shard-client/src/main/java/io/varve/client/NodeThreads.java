package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.stats.HotThreadsQuery;
import java.time.Duration;

/** Reads the hot threads of one node; fails as {@link ShardClient} does. */
@FunctionalInterface
public interface NodeThreads {

  /** The threads as human-readable text. */
  String hot(NodeInfo node, HotThreadsQuery query, Duration timeout) throws InterruptedException;
}
