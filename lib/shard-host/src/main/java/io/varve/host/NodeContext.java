package io.varve.host;

import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.rpc.ApiException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The environment that all copies of a node share.
 *
 * @param timer short, non-blocking tasks only
 * @param blocking a virtual thread for each task
 */
public record NodeContext(
    NodeIdentity identity,
    NodeSettings settings,
    MessageLog log,
    Topics topics,
    ClusterView cluster,
    LeaderClient leader,
    HttpClient http,
    InstantSource clock,
    ScheduledExecutorService timer,
    ExecutorService blocking,
    Applying applying) {

  /** The name of the index, or its uuid if the index is deleted. */
  public String indexName(String uuid) {
    return cluster.current().index(uuid).map(IndexMetadata::name).orElse(uuid);
  }

  /**
   * Waits until this node has applied the cluster log up to its present end.
   *
   * @return false after the timeout
   */
  public boolean awaitEndOfClusterLog(Duration timeout) throws LogException, InterruptedException {
    long end = log.open(topics.clusterLog(), 0).endOffset();
    return cluster.position().await(end, timeout);
  }

  /**
   * Returns when this node knows {@code version} of the cluster state.
   *
   * @throws ApiException 503 after the timeout
   */
  public void awaitState(long version, Duration timeout) throws InterruptedException {
    if (!cluster.awaitVersion(version, timeout)) {
      throw new ApiException(
          503,
          "process_cluster_event_timeout_exception",
          "version " + version + " of the cluster state did not arrive within " + timeout);
    }
  }
}
