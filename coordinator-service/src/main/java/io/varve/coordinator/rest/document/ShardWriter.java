package io.varve.coordinator.rest.document;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.cluster.ActiveShards;
import io.varve.coordinator.cluster.Deadline;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.TimeText;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.BulkAnswer;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings one batch to its shard's primary.
 *
 * <p>Rule of trying again: only what is not written for certain (no connection could be made; the
 * node said that it is not the primary, or not of this term, or of single items that they stand
 * behind another primary's fence). While a primary hands over, the copy that takes its place is
 * asked in turn with it: it holds the request until it is open. Else a newer cluster state, or a
 * little time, is awaited until the request's timeout ends. A batch that was sent and not answered
 * is never sent again, whatever its operations are: an id that a client chose may have been written
 * by another one in between, and an id of our own would be written twice. Its items fail as {@value
 * WriteResult#UNKNOWN_OUTCOME}, and the client decides.
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

    /** {@code next}: where it can go if not there. */
    record Ready(Seat primary, Optional<Seat> next, int started) implements Place {}

    record NotYet(String reason) implements Place {}

    record Gone() implements Place {}
  }

  /** A copy that writes in a term. */
  private record Seat(CopyAddress copy, long term) {}

  /** {@code task} is the one for which it is written, null for none. */
  void write(ShardBatch batch, WriteOptions options, @Nullable String task)
      throws InterruptedException {
    Deadline deadline = Deadline.in(options.timeout());
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      ClusterState state = cluster.state();
      String problem;
      long longestWait = Long.MAX_VALUE;
      switch (place(state, batch, options)) {
        case Place.Gone gone -> {
          batch.refused(ErrorBodies.indexNotFound(batch.index().name(), "index_or_alias"));
          return;
        }
        case Place.NotYet notYet -> problem = notYet.reason();
        case Place.Ready ready -> {
          Optional<String> retry =
              send(batch, ready.started(), ready.primary(), task, deadline.left());
          if (retry.isPresent() && ready.next().isPresent()) {
            retry = send(batch, ready.started(), ready.next().get(), task, deadline.left());
          }
          if (retry.isEmpty()) {
            return;
          }
          problem = retry.get();
          longestWait = pause;
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
      }
      if (deadline.isOver()) {
        batch.refused(unavailable(batch, options, problem));
        return;
      }
      cluster.awaitVersion(state.version() + 1, deadline.leftUpTo(Duration.ofMillis(longestWait)));
    }
  }

  private static Place place(ClusterState state, ShardBatch batch, WriteOptions options) {
    Optional<IndexMetadata> index = state.index(batch.index().uuid());
    if (index.isEmpty()) {
      return new Place.Gone();
    }
    ShardRouting shard = index.get().shard(batch.shard());
    List<CopyAddress> started = CopyAddress.writing(state, shard);
    Optional<Seat> next = successor(state, shard);
    boolean active = !started.isEmpty() && started.getFirst().copy().primary();
    if (!active && next.isEmpty()) {
      return new Place.NotYet("primary shard is not active");
    }
    ActiveShards wanted =
        options.activeShards() == null ? ActiveShards.of(index.get()) : options.activeShards();
    int needed = wanted.wanted(shard);
    if (started.size() < needed) {
      return new Place.NotYet(
          "Not enough active copies to meet shard count of ["
              + wanted
              + "] (have "
              + started.size()
              + ", needed "
              + needed
              + ").");
    }
    return active
        ? new Place.Ready(new Seat(started.getFirst(), shard.primaryTerm()), next, started.size())
        : new Place.Ready(next.get(), Optional.empty(), started.size());
  }

  private static Optional<Seat> successor(ClusterState state, ShardRouting shard) {
    return shard
        .handOver()
        .flatMap(moving ->
            CopyAddress.of(state, shard, moving.target())
                .map(copy -> new Seat(copy, moving.handOverTerm())));
  }

  /** Empty when the batch is done with; otherwise why it may be sent again. */
  private Optional<String> send(
      ShardBatch batch, int started, Seat seat, @Nullable String task, Duration timeout)
      throws InterruptedException {
    // An attempt at the very end of the time still gets some.
    Duration given = timeout.toMillis() < 100 ? Duration.ofMillis(100) : timeout;
    ShardClient.BulkCall call = new ShardClient.BulkCall(seat.term(), batch.unwritten(), task);
    switch (client.bulk(seat.copy(), call, given)) {
      case BulkAnswer.Results(var results) -> {
        batch.answered(results, started);
        return batch.unwritten().isEmpty()
            ? Optional.empty()
            : Optional.of("the primary was followed by another");
      }
      case BulkAnswer.Refused refused -> batch.refused(refused.error());
      case BulkAnswer.Unknown unknown ->
          batch.refused(
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
