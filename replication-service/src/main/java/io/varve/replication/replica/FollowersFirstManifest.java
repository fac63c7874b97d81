package io.varve.replication.replica;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Feature;
import io.varve.events.ManifestRecord;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The first manifest of a following index's shard. Before it, its primary may not have decided
 * whether the shard begins with the leader's segments; then the log lacks the shard's first
 * operations, and is truncated before that manifest.
 */
final class FollowersFirstManifest {

  private FollowersFirstManifest() {}

  /** Returns at once if the index does not follow. */
  static void await(CopyContext context) throws LogException, InterruptedException {
    ClusterState state = context.node().cluster().current();
    boolean follows =
        state.has(Feature.FOLLOWER_BOOTSTRAP)
            && state.index(context.shard().indexUuid()).map(IndexMetadata::follow).isPresent();
    if (!follows) {
      return;
    }
    PartitionLog manifests = context.manifests();
    CompletableFuture<Boolean> published = new CompletableFuture<>();
    try (PartitionLog.Subscription _ =
        manifests.subscribe(manifests.startOffset(), new Listener(published))) {
      published.get();
    } catch (ExecutionException e) {
      throw new LogException.Unavailable("the manifests of " + context.shard() + ": " + e);
    }
  }

  private record Listener(CompletableFuture<Boolean> published)
      implements PartitionLog.BatchListener {

    @Override
    public void records(List<StoredRecord> batch) {
      if (batch.stream()
          .anyMatch(stored -> ManifestLog.decode(stored) instanceof ManifestRecord.Published)) {
        published.complete(true);
      }
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      published.completeExceptionally(reason);
    }
  }
}
