package io.varve.host;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The environment of one copy.
 *
 * @param folder {@code <data>/shards/<index uuid>/<number>}; used only by this copy, created by its
 *     host
 * @param host listens to the copy's progress and failure
 */
public record CopyContext(
    NodeContext node, ShardId shard, String copyId, Path folder, Listener host) {

  /** Called by the copy. Implementations are cheap and never block. */
  public interface Listener {

    /** {@link ShardCopy#progress} has changed. */
    void progressed();

    /**
     * This copy has failed after its start. The host closes it and opens another one when the
     * back-off allows it.
     */
    void broken(String reason);
  }

  /**
   * The index in the current cluster state: mapping, settings, routing.
   *
   * @throws ApiException 404 when it is deleted
   */
  public IndexMetadata index() {
    return node.cluster()
        .current()
        .index(shard.indexUuid())
        .orElseThrow(() ->
            new ApiException(
                404, "index_not_found_exception", "no such index " + shard.indexUuid()));
  }

  /** The current settings of the index; empty when it is deleted. */
  public Map<String, String> settings() {
    return node.cluster()
        .current()
        .index(shard.indexUuid())
        .map(IndexMetadata::settings)
        .orElse(Map.of());
  }

  /** The version of the index's mapping that this node knows; 0 if the index is deleted. */
  public long mappingVersion() {
    return node.cluster()
        .current()
        .index(shard.indexUuid())
        .map(IndexMetadata::mappingVersion)
        .orElse(0L);
  }

  /** This shard's copies in the current cluster state; empty if the index is deleted. */
  public Optional<ShardRouting> routing() {
    return node.cluster().current().shard(shard);
  }

  /**
   * Waits until this node knows {@code mappingVersion} of the index's mapping or a newer one.
   *
   * @throws ApiException 503 after the timeout
   */
  public void awaitMapping(long mappingVersion, Duration timeout) throws InterruptedException {
    if (index().mappingVersion() >= mappingVersion) {
      return;
    }
    CompletableFuture<Boolean> known = new CompletableFuture<>();
    try (var registration =
        node.cluster()
            .listen(state -> {
              if (state
                  .index(shard.indexUuid())
                  .filter(index -> index.mappingVersion() < mappingVersion)
                  .isEmpty()) {
                known.complete(true);
              }
            })) {
      known.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new ApiException(
          503,
          "process_cluster_event_timeout_exception",
          "version " + mappingVersion + " of the mapping did not arrive within " + timeout);
    }
  }

  /** This shard's partition of the operations topic. */
  public PartitionLog operations() {
    return node.log().open(node.topics().operations(shard.indexUuid()), shard.number());
  }

  /** This shard's partition of the manifests topic. */
  public PartitionLog manifests() {
    return node.log().open(node.topics().manifests(shard.indexUuid()), shard.number());
  }
}
