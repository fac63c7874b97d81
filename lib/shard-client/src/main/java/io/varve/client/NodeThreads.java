package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.figures.HotThreadsQuery;
import java.time.Duration;

/** Asks one node for its hot threads; fails as {@link ShardClient} does. */
@FunctionalInterface
public interface NodeThreads {

  /** Text for people. */
  String hot(NodeInfo node, HotThreadsQuery query, Duration timeout) throws InterruptedException;
}
