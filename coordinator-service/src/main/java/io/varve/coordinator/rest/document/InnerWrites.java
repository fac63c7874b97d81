package io.varve.coordinator.rest.document;

import io.varve.client.consistency.WrittenMarks;
import io.varve.cluster.ActiveShards;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.process.Parallel;
import io.varve.rest.RestRequest;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes bulk writes of the coordinator's own features. */
public final class InnerWrites {

  private static final Duration REFRESH_TIMEOUT = Duration.ofMinutes(1);

  private final WriteRouter router;
  private final Visibility visibility;
  private final Parallel parallel;
  private final AutoIds ids;

  InnerWrites(WriteRouter router, Visibility visibility, Parallel parallel, AutoIds ids) {
    this.router = router;
    this.visibility = visibility;
    this.parallel = parallel;
    this.ids = ids;
  }

  /** One write, with the name of its index or alias. */
  public record Write(String index, WriteItem item) {}

  /**
   * Options of writes.
   *
   * @param activeShards the copies of a shard that must be active before a write; null for the
   *     index's setting
   * @param marks records the shards that were written
   */
  public record Care(Duration timeout, @Nullable ActiveShards activeShards, WrittenMarks marks) {

    public static Care of(RestRequest request) {
      WriteOptions options = WriteOptions.of(request);
      return new Care(
          options.timeout(), options.activeShards(), new WrittenMarks(request.session()));
    }
  }

  /** Executes the writes without a refresh. Returns one result per write, in order. */
  public List<WriteResult> write(List<Write> writes, Care care) throws InterruptedException {
    List<BulkItem> items =
        writes.stream().map(write -> BulkItem.of(write.index(), write.item())).toList();
    WriteOptions options =
        new WriteOptions(RefreshPolicy.NONE, care.timeout(), care.activeShards());
    List<WriteRouter.Outcome> outcomes = router.writeInner(items, options);
    care.marks().add(WriteRouter.session(outcomes));
    return outcomes.stream().map(WriteRouter.Outcome::result).toList();
  }

  /** Refreshes the indices. */
  public void refresh(Collection<IndexMetadata> indices) throws InterruptedException {
    List<ShardRouting> shards = indices.stream().flatMap(index -> index.shards().stream()).toList();
    parallel.map(shards, shard -> visibility.refresh(shard.shard(), REFRESH_TIMEOUT));
  }

  /** Generates an id. */
  public String nextId() {
    return ids.next();
  }
}
