package io.varve.replication.replica;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The first manifest of a shard of a following index. Before it is published, the primary may not
 * have decided whether the shard begins with the leader's segments. If it does, the log lacks the
 * shard's first operations, and is truncated before that manifest.
 *
 * <p>The term of the manifest must be the newest one that was assigned when the manifest had been
 * read. A later primary decides after its own fence, and reads this manifest; a primary whose fence
 * precedes the manifest may have decided otherwise.
 */
final class FollowersFirstManifest {

  private static final Duration STATE_WITHIN = Duration.ofSeconds(30);

  private final CopyContext context;
  private final OffsetWatcher terms = new OffsetWatcher(-1);
  private final CompletableFuture<Object> lost = new CompletableFuture<>();

  private final Duration stateWithin;

  private FollowersFirstManifest(CopyContext context, Duration stateWithin) {
    this.context = context;
    this.stateWithin = stateWithin;
  }

  /** Returns immediately if the index is not a follower. */
  static void await(CopyContext context) throws LogException, InterruptedException {
    await(context, STATE_WITHIN);
  }

  /**
   * @param stateWithin the time in which this node must have read the cluster log to its end
   */
  static void await(CopyContext context, Duration stateWithin)
      throws LogException, InterruptedException {
    ClusterState state = context.node().cluster().current();
    boolean follows =
        state.has(Feature.FOLLOWER_BOOTSTRAP)
            && state.index(context.shard().indexUuid()).map(IndexMetadata::follow).isPresent();
    if (follows) {
      new FollowersFirstManifest(context, stateWithin).awaitNewest();
    }
  }

  private void awaitNewest() throws LogException, InterruptedException {
    PartitionLog manifests = context.manifests();
    try (PartitionLog.Subscription _ =
        manifests.subscribe(manifests.startOffset(), new Listener())) {
      long term = newestTerm();
      long awaited;
      do {
        awaited = term;
        CompletableFuture<Boolean> published = terms.reached(awaited);
        var _ = CompletableFuture.anyOf(published, lost).get();
        term = newestTerm();
      } while (term > awaited);
    } catch (ExecutionException e) {
      throw new LogException.Unavailable("the manifests of " + context.shard() + ": " + e);
    }
  }

  /** The term of the shard's primary at the end of the cluster log. */
  private long newestTerm() throws LogException, InterruptedException {
    if (!context.node().awaitEndOfClusterLog(stateWithin)) {
      throw new LogException.Unavailable(
          "the cluster log was not read to its end within " + stateWithin);
    }
    return context
        .node()
        .cluster()
        .current()
        .shard(context.shard())
        .map(ShardRouting::primaryTerm)
        .orElse(0L);
  }

  private final class Listener implements PartitionLog.BatchListener {

    @Override
    public void records(List<StoredRecord> batch) {
      for (StoredRecord stored : batch) {
        if (ManifestLog.decode(stored) instanceof ManifestRecord.Published(Manifest manifest)) {
          terms.advanceTo(manifest.term());
        }
      }
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      lost.completeExceptionally(reason);
    }
  }
}
