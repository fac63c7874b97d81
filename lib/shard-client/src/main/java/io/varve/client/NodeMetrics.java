package io.varve.client;

import io.varve.cluster.NodeInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the metrics of one node; fails as {@link ShardClient} does. */
@FunctionalInterface
public interface NodeMetrics {

  /**
   * The metrics in the text format of Prometheus.
   *
   * @param name of the only metric that is wanted; null for all
   */
  String text(NodeInfo node, @Nullable String name, Duration timeout) throws InterruptedException;
}
