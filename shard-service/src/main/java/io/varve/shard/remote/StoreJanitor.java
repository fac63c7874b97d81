package io.varve.shard.remote;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.StoredManifest;
import io.varve.host.NodeContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.store.DeletedIndices;
import io.varve.store.StoreAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the objects of deleted indices from the segment store; see {@link DeletedIndices} for the
 * rule. Of the nodes that share a store, the one with the smallest id deletes, after it has read
 * the cluster log to its end. Concurrent runs are harmless: a deletion in the log is final.
 */
public final class StoreJanitor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreJanitor.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final NodeContext node;
  private final StoreAccess access;
  private final DeletedIndices indices;
  private final AtomicLong objects = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final ScheduledFuture<?> turns;

  public StoreJanitor(NodeContext node, StoreAccess access) {
    this.node = node;
    this.access = access;
    this.indices = new DeletedIndices(access.store(), access.settings().retention().graceMillis());
    long everyMillis = access.settings().retention().everyMillis();
    this.turns =
        node.timer()
            .scheduleWithFixedDelay(
                () -> node.blocking().execute(this::turn),
                everyMillis,
                everyMillis,
                TimeUnit.MILLISECONDS);
  }

  /** The number of deleted objects. */
  public long objects() {
    return objects.get();
  }

  /** The total size of the deleted objects. */
  public long bytes() {
    return bytes.get();
  }

  private void turn() {
    String self = node.identity().nodeId();
    boolean mine =
        node.cluster().current().nodes().values().stream()
            .filter(other -> access.name().equals(other.attributes().get(NodeInfo.STORE_ATTRIBUTE)))
            .map(NodeInfo::nodeId)
            .min(String::compareTo)
            .filter(self::equals)
            .isPresent();
    if (!mine) {
      return;
    }
    try {
      sweep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "could not delete the objects of deleted indices from the segment store: {}",
          e.toString());
    }
  }

  /** The remaining objects of deleted indices. */
  public List<DeletedIndices.Leftover> look() throws IOException, InterruptedException {
    awaitEndOfLog();
    return indices.look(deleted(), this::stored, node.clock().millis());
  }

  /** Deletes the objects that are due now, and returns them. */
  public List<DeletedIndices.Leftover> sweep() throws IOException, InterruptedException {
    awaitEndOfLog();
    List<DeletedIndices.Leftover> done =
        indices.sweep(deleted(), this::stored, node.clock().millis());
    for (DeletedIndices.Leftover index : done) {
      objects.addAndGet(index.objects());
      bytes.addAndGet(index.bytes());
      LOG.info(
          "deleted the objects of index {} from the segment store: {}", index.indexUuid(), index);
    }
    return done;
  }

  private void awaitEndOfLog() throws IOException, InterruptedException {
    try {
      if (!node.awaitEndOfClusterLog(PATIENCE)) {
        throw new IOException("the cluster log was not read to its end within " + PATIENCE);
      }
    } catch (LogException e) {
      throw new IOException("the end of the cluster log could not be determined", e);
    }
  }

  private Set<String> deleted() {
    Set<String> deleted = new HashSet<>(node.cluster().deletedIndices());
    node.cluster().current().indices().values().forEach(index -> deleted.remove(index.uuid()));
    return deleted;
  }

  private List<StoredManifest> stored() throws IOException {
    ClusterState state = node.cluster().current();
    List<StoredManifest> all = new ArrayList<>();
    try {
      for (IndexMetadata index : state.indices().values()) {
        if (IndexSettings.isRemoteBacked(index.settings())) {
          for (ShardRouting shard : index.shards()) {
            StoredManifest newest = newest(shard);
            if (newest != null) {
              all.add(newest);
            }
          }
        }
      }
    } catch (LogException e) {
      throw new IOException("the stored objects of existing indices could not be determined", e);
    }
    return all;
  }

  private @Nullable StoredManifest newest(ShardRouting shard) throws LogException {
    ManifestLog manifests =
        new ManifestLog(
            node.log()
                .open(node.topics().manifests(shard.shard().indexUuid()), shard.shard().number()));
    return manifests.before(manifests.partition().endOffset(), true).stored();
  }

  @Override
  public void close() {
    turns.cancel(false);
  }
}
