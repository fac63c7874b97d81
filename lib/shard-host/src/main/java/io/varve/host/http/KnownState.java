package io.varve.host.http;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.SearchCallHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Makes requests wait until this node has applied the metadata that their sender has applied, so
 * that a change that was acknowledged to a client applies to all later requests of the client.
 *
 * <pre>
 *   request                  contains                                    status after the timeout
 *   merge, reencode, seal    the version of the cluster state            503
 *   reads                    {@link IndexMetadata#metadataVersion}       503: another copy is asked
 *   writes                   the same                                    409: nothing was written
 * </pre>
 *
 * A coordinator of an older release sends no version, and its requests do not wait.
 */
public final class KnownState {

  private static final Duration STATE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(5);
  private static final int NOTHING_WRITTEN = 409;
  private static final int UNAVAILABLE = 503;

  private final ClusterView cluster;
  private final Duration timeout;

  public KnownState(ClusterView cluster) {
    this(cluster, METADATA_TIMEOUT);
  }

  /**
   * @param timeout of the wait for the metadata of an index
   */
  public KnownState(ClusterView cluster, Duration timeout) {
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Makes an endpoint wait for the parameter {@code cluster_version}. */
  public static ShardEndpoint before(NodeContext node, ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      node.awaitState(Bodies.requiredLong(request, "cluster_version"), STATE_TIMEOUT);
      endpoint.handle(copy, rest, request, response);
    };
  }

  /**
   * Makes endpoints wait for the metadata in the header {@link SearchCallHeaders#METADATA}, if it
   * is present.
   */
  public Map<String, ShardEndpoint> before(Map<String, ShardEndpoint> endpoints) {
    Map<String, ShardEndpoint> waiting = new LinkedHashMap<>(endpoints);
    waiting.replaceAll((_, endpoint) ->
        (copy, rest, request, response) -> {
          String version = request.getHeader(SearchCallHeaders.METADATA);
          if (version != null) {
            require(copy.shard(), Long.parseLong(version), UNAVAILABLE);
          }
          endpoint.handle(copy, rest, request, response);
        });
    return waiting;
  }

  /**
   * Returns when this node knows that metadata of the index, or that the index is deleted.
   *
   * @throws ApiException 409 after the timeout: the write was not executed
   */
  public void requireForWrite(ShardId shard, long metadataVersion) throws InterruptedException {
    require(shard, metadataVersion, NOTHING_WRITTEN);
  }

  private void require(ShardId shard, long metadataVersion, int statusIfLate)
      throws InterruptedException {
    Predicate<ClusterState> known =
        state ->
            state
                .index(shard.indexUuid())
                .map(index -> index.metadataVersion() >= metadataVersion)
                .orElse(true);
    if (!known.test(cluster.current()) && cluster.await(known, timeout).isEmpty()) {
      throw new ApiException(
          statusIfLate,
          "process_cluster_event_timeout_exception",
          "version %d of the metadata of %s did not arrive within %s"
              .formatted(metadataVersion, shard, timeout));
    }
  }
}
