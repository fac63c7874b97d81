package io.varve.coordinator.rest.document;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.TimeText;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.BulkAnswer;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Brings one batch to its shard's primary.
 *
 * <p>Rule of trying again: only when it is certain that nothing was written (no connection could be
 * made; the node said that it is not the primary, or not of this term). Then a newer cluster state,
 * or a little time, is awaited until the request's timeout ends. A batch that was sent and not
 * answered is never sent again, whatever its operations are: an id that a client chose may have
 * been written by another one in between, and an id of our own would be written twice. Its items
 * fail as {@value WriteResult#UNKNOWN_OUTCOME}, and the client decides.
 */
final class ShardWriter {

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final ClusterAccess cluster;
  private final ShardClient client;

  ShardWriter(ClusterAccess cluster, ShardClient client) {
    this.cluster = cluster;
    this.client = client;
  }

  /** Where a batch can go now. */
  private sealed interface Place {
    record Ready(CopyAddress primary, long term, int started) implements Place {}

    record NotYet(String reason) implements Place {}

    record Gone() implements Place {}
  }

  void write(ShardBatch batch, WriteOptions options) throws InterruptedException {
    long deadline = System.nanoTime() + options.timeout().toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      ClusterState state = cluster.state();
      String problem;
      long longestWait = Long.MAX_VALUE;
      switch (place(state, batch, options)) {
        case Place.Gone gone -> {
          fail(batch, ErrorBodies.indexNotFound(batch.index().name(), "index_or_alias"));
          return;
        }
        case Place.NotYet notYet -> problem = notYet.reason();
        case Place.Ready ready -> {
          Optional<String> retry = send(batch, ready, remaining(deadline));
          if (retry.isEmpty()) {
            return;
          }
          problem = retry.get();
          longestWait = pause;
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
      }
      Duration left = remaining(deadline);
      if (left.isZero()) {
        fail(batch, unavailable(batch, options, problem));
        return;
      }
      cluster.awaitVersion(
          state.version() + 1, Duration.ofMillis(Math.min(left.toMillis(), longestWait)));
    }
  }

  private static Duration remaining(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  private static Place place(ClusterState state, ShardBatch batch, WriteOptions options) {
    Optional<IndexMetadata> index = state.index(batch.index().uuid());
    if (index.isEmpty()) {
      return new Place.Gone();
    }
    ShardRouting shard = index.get().shard(batch.shard());
    List<CopyAddress> started = CopyAddress.started(state, shard);
    if (started.isEmpty() || !started.getFirst().copy().primary()) {
      return new Place.NotYet("primary shard is not active");
    }
    int needed =
        options.activeShards() == WriteOptions.ALL ? shard.copies().size() : options.activeShards();
    if (started.size() < needed) {
      return new Place.NotYet(
          "Not enough active copies to meet shard count of ["
              + (options.activeShards() == WriteOptions.ALL ? "ALL" : needed)
              + "] (have "
              + started.size()
              + ", needed "
              + needed
              + ").");
    }
    return new Place.Ready(started.getFirst(), shard.primaryTerm(), started.size());
  }

  /** Empty when the batch is done with; otherwise why it may be sent again. */
  private Optional<String> send(ShardBatch batch, Place.Ready place, Duration timeout)
      throws InterruptedException {
    // An attempt at the very end of the time still gets some.
    Duration given = timeout.toMillis() < 100 ? Duration.ofMillis(100) : timeout;
    switch (client.bulk(place.primary(), place.term(), batch.items(), given)) {
      case BulkAnswer.Results answer -> batch.done(answer.results(), place.started());
      case BulkAnswer.Refused refused -> fail(batch, refused.error());
      case BulkAnswer.Unknown unknown ->
          fail(
              batch,
              ErrorBody.of(
                  503,
                  WriteResult.UNKNOWN_OUTCOME,
                  "the operation may or may not be in the log: " + unknown.reason()));
      case BulkAnswer.NotWritten notWritten -> {
        return Optional.of(notWritten.error().reason());
      }
    }
    return Optional.empty();
  }

  private static void fail(ShardBatch batch, ErrorBody error) {
    batch.done(Collections.nCopies(batch.items().size(), new WriteResult.Failed(error)), 0);
  }

  private static ErrorBody unavailable(ShardBatch batch, WriteOptions options, String problem) {
    String shard = "[" + batch.index().name() + "][" + batch.shard() + "]";
    return ErrorBody.of(
        503,
        "unavailable_shards_exception",
        shard
            + " "
            + problem
            + " Timeout: ["
            + TimeText.of(options.timeout())
            + "], request: [BulkShardRequest ["
            + shard
            + "] containing ["
            + batch.items().size()
            + "] requests]");
  }
}
