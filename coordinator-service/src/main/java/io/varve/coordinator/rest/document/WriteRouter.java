package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings the items of a request to the primaries of their shards, all shards at the same time, and
 * waits until they are visible when that was asked for.
 */
public final class WriteRouter {

  private final ClusterAccess cluster;
  private final Parallel parallel;
  private final ShardWriter writer;
  private final Visibility visibility;

  public WriteRouter(
      ClusterAccess cluster, ShardClient client, Parallel parallel, Visibility visibility) {
    this.cluster = cluster;
    this.parallel = parallel;
    this.writer = new ShardWriter(cluster, client);
    this.visibility = visibility;
  }

  /**
   * What became of one item.
   *
   * @param batch where it was written; {@code null} when it was refused before
   */
  record Outcome(WriteResult result, @Nullable ShardBatch batch) {}

  /** One outcome for each item, in order. */
  List<Outcome> write(List<BulkItem> items, WriteOptions options) throws InterruptedException {
    Outcome[] outcomes = new Outcome[items.size()];
    List<ShardBatch> batches = group(items, options, outcomes);
    parallel.map(
        batches,
        batch -> {
          writer.write(batch, options);
          if (options.refresh() != RefreshPolicy.NONE && batch.highestSeqNo() >= 0) {
            visibility.after(batch, options);
          }
          return batch;
        });
    for (ShardBatch batch : batches) {
      spread(batch, outcomes);
    }
    return List.of(outcomes);
  }

  private List<ShardBatch> group(List<BulkItem> items, WriteOptions options, Outcome[] outcomes)
      throws InterruptedException {
    WriteTargets targets = new WriteTargets(cluster, options.timeout());
    Map<ShardId, ShardBatch> batches = new LinkedHashMap<>();
    for (int i = 0; i < outcomes.length; i++) {
      BulkItem item = items.get(i);
      ErrorBody refusal = item.refusal();
      if (refusal != null) {
        outcomes[i] = new Outcome(new WriteResult.Failed(refusal), null);
        continue;
      }
      switch (targets.of(item)) {
        case WriteTargets.Target.Refused refused ->
            outcomes[i] = new Outcome(new WriteResult.Failed(refused.error()), null);
        case WriteTargets.Target.Writable(var found) -> {
          WriteItem write;
          try {
            write = item.write().routedBy(found.routing(item.write().routing()));
          } catch (ApiException e) {
            outcomes[i] = new Outcome(new WriteResult.Failed(e.error()), null);
            continue;
          }
          IndexMetadata index = found.index();
          Optional<ErrorBody> unrouted =
              RequiredRouting.refusal(index, write.id(), write.routing());
          if (unrouted.isPresent()) {
            outcomes[i] = new Outcome(new WriteResult.Failed(unrouted.get()), null);
            continue;
          }
          int shard = RoutingHash.shardOf(index, write.id(), write.routing());
          batches
              .computeIfAbsent(new ShardId(index.uuid(), shard), s -> new ShardBatch(index, shard))
              .add(i, write);
        }
      }
    }
    return new ArrayList<>(batches.values());
  }

  private static void spread(ShardBatch batch, Outcome[] outcomes) {
    List<WriteResult> results = batch.results();
    for (int i = 0; i < results.size(); i++) {
      WriteResult result = results.get(i);
      outcomes[batch.positions().get(i)] =
          new Outcome(
              result instanceof WriteResult.Failed(var error)
                  ? new WriteResult.Failed(inShard(error, batch))
                  : result,
              batch);
    }
  }

  private static ErrorBody inShard(ErrorBody error, ShardBatch batch) {
    return error.fields().containsKey("index")
        ? error
        : error
            .with("index", batch.index().name())
            .with("shard", Integer.toString(batch.shard()))
            .with("index_uuid", batch.index().uuid());
  }
}
