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
import java.util.function.Predicate;

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

    /**
     * This copy has other operations than the log, although it can read all of its files. The host
     * reports the copy as failed; the next copy at this place starts without the files.
     */
    void contradicted(String reason);

    /**
     * A replica shows a manifest, or operations, that were published {@code lagMillis} ago. Called
     * once for each manifest or refresh.
     */
    default void shown(long lagMillis) {}

    /** The gate of a primary has changed. */
    default void gate(GateChange change) {}
  }

  /** A change of a primary's gate. */
  public enum GateChange {
    /** Its fence was accepted: it accepts writes. */
    OPENED,
    /** A fence of a newer term was read. */
    FENCED,
    /** The outcome of an append is unknown. */
    CLOSED
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
    if (index().mappingVersion() < mappingVersion) {
      await(
          index -> index.mappingVersion() >= mappingVersion,
          "version " + mappingVersion + " of the mapping",
          timeout);
    }
  }

  /**
   * Waits until this follower index has applied that version of its leader's mapping, or a newer
   * one.
   *
   * @throws ApiException 503 after the timeout
   */
  public void awaitLeaderMapping(long leaderVersion, Duration timeout) throws InterruptedException {
    Predicate<IndexMetadata> has =
        index ->
            index.follow() == null
                || index.follow().currentStatus().leaderMappingVersion() >= leaderVersion;
    if (!has.test(index())) {
      await(has, "version " + leaderVersion + " of the leader's mapping", timeout);
    }
  }

  /** Waits until the index meets the condition, or is deleted. */
  private void await(Predicate<IndexMetadata> wanted, String awaited, Duration timeout)
      throws InterruptedException {
    boolean known =
        node.cluster()
            .await(state -> state.index(shard.indexUuid()).map(wanted::test).orElse(true), timeout)
            .isPresent();
    if (!known) {
      throw new ApiException(
          503,
          "process_cluster_event_timeout_exception",
          awaited + " did not arrive within " + timeout);
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
