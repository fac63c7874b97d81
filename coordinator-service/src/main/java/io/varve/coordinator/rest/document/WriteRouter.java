package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.process.Deadline;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Groups the items of a request by their shards, and writes all shards in parallel. If the request
 * asks for it, waits until the items are visible.
 */
public final class WriteRouter {

  private final ClusterAccess cluster;
  private final ShardWriter writer;
  private final Tasks tasks;
  private final Pressures pressures;

  WriteRouter(ClusterAccess cluster, ShardWriter writer, Tasks tasks, Pressures pressures) {
    this.cluster = cluster;
    this.writer = writer;
    this.tasks = tasks;
    this.pressures = pressures;
  }

  /**
   * The checks that can reject writes because of load.
   *
   * @param bytes the limit on bytes in flight
   * @param replicas the limit on the lag of replicas
   */
  public record Pressures(CoordinatingPressure bytes, ReplicationPressure replicas) {}

  /**
   * The result of one item.
   *
   * @param batch the batch that contained the item; {@code null} if it was rejected before batching
   */
  record Outcome(WriteResult result, @Nullable ShardBatch batch) {}

  /** Returns the session token with which a read shows the written items. */
  static SessionToken session(List<Outcome> outcomes) {
    List<SessionToken> sessions = new ArrayList<>();
    Set<ShardBatch> batches = Collections.newSetFromMap(new IdentityHashMap<>());
    @Nullable ShardBatch previous = null;
    for (Outcome outcome : outcomes) {
      ShardBatch batch = outcome.batch();
      // Neighbours often belong to the same batch.
      if (batch != null && batch != previous && batches.add(batch)) {
        sessions.add(batch.session());
      }
      previous = batch;
    }
    return SessionToken.merged(sessions);
  }

  /** Returns one outcome per item, in order. Throws 429 if the bytes in flight exceed the limit. */
  List<Outcome> write(List<BulkItem> items, WriteOptions options) throws InterruptedException {
    try (CoordinatingPressure.Held _ = pressures.bytes().acquire(items)) {
      return execute(items, options, this::refusal);
    }
  }

  /**
   * Writes items of the coordinator's own features, whose bytes in flight are counted but not
   * limited.
   */
  List<Outcome> writeInner(List<BulkItem> items, WriteOptions options) throws InterruptedException {
    try (CoordinatingPressure.Held _ = pressures.bytes().enter(items)) {
      return execute(items, options, batch -> Optional.empty());
    }
  }

  private Optional<ErrorBody> refusal(ShardBatch batch) {
    return pressures.replicas().refusal(batch.index(), batch.shard());
  }

  private List<Outcome> execute(
      List<BulkItem> items, WriteOptions options, Function<ShardBatch, Optional<ErrorBody>> refusal)
      throws InterruptedException {
    Deadline deadline = cluster.deadline(options.timeout());
    Outcome[] outcomes = new Outcome[items.size()];
    WriteTargets targets = new WriteTargets(cluster, items, options.timeout());
    List<ShardBatch> batches = group(items, targets, outcomes);
    Task parent = Tasks.current();
    List<ShardPart> parts = new ArrayList<>();
    for (ShardBatch batch : batches) {
      Optional<ErrorBody> refused = refusal.apply(batch);
      if (refused.isPresent()) {
        batch.refused(refused.get());
      } else {
        parts.add(new ShardPart(batch, subtask(parent, batch)));
      }
    }
    writer.write(parts, options);
    if (targets.hasCreated()) {
      // The client may search the index through another coordinator once the write is answered. The
      // write is valid even if that coordinator lags.
      var _ = cluster.awaitAcknowledged(deadline.left());
    }
    for (ShardBatch batch : batches) {
      spread(batch, outcomes);
    }
    return List.of(outcomes);
  }

  private @Nullable Task subtask(@Nullable Task parent, ShardBatch batch) {
    return parent == null ? null : tasks.beginPart(parent, WriteTasks.ofShard(batch));
  }

  private List<ShardBatch> group(List<BulkItem> items, WriteTargets targets, Outcome[] outcomes)
      throws InterruptedException {
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
        case WriteTargets.Target.Writable(var found, boolean needsRouting) -> {
          WriteItem write;
          try {
            write = item.write().routedBy(found.routing(item.write().routing()));
          } catch (ApiException e) {
            outcomes[i] = new Outcome(new WriteResult.Failed(e.error()), null);
            continue;
          }
          IndexMetadata index = found.index();
          if (needsRouting && write.routing() == null) {
            ErrorBody unrouted = RequiredRouting.missing(index, write.id());
            outcomes[i] = new Outcome(new WriteResult.Failed(unrouted), null);
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
