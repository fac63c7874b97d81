package io.varve.coordinator.rest.document;

import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.BulkPart;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.document.ShardWriter.Primaries;
import io.varve.events.Feature;
import io.varve.process.Deadline;
import io.varve.process.Steps;
import io.varve.rest.TimeText;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The write of one request: sends its batches to the primaries of their shards.
 *
 * <pre>
 *   placed     the cluster state names the primary: the parts that are placed together are sent
 *              together, in one request for each node, see {@link NodeRequests}
 *   sent       each part is answered separately, see {@link ShardPart}; the others may take longer
 *   open       sent immediately to the copy that takes over from the primary, which holds the
 *              request until its gate opens; otherwise placed again when the cluster state has
 *              changed, or after a pause, together with the parts that wait for the same
 *   written    visible if the request asks for it
 * </pre>
 *
 * <p>Open items are sent again until the request's timeout. A single part is sent to its copy in a
 * separate request. So are all parts while the cluster may have nodes that support only such
 * requests.
 */
final class BulkWrite {

  /**
   * The pause for parts that only a new cluster state can place: they wait for that state alone.
   */
  private static final long NO_PAUSE = Long.MAX_VALUE;

  /** The minimum time of an attempt, even at the end of the request's timeout. */
  private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(100);

  private static final NodeRequests<ShardPart> BY_NODE =
      new NodeRequests<>(ShardPart::nodeId, ShardPart::sizeBytes);

  private final Primaries primaries;
  private final Visibility visibility;
  private final Consumer<ShardPart> onEnd;
  private final Steps steps;
  private final WriteOptions options;
  private final Deadline deadline;
  private final RepeatedReads repeated;
  private final RetryWaves<ShardPart> waves = new RetryWaves<>();

  /**
   * @param onEnd called when a part has ended
   */
  BulkWrite(
      Primaries primaries,
      Visibility visibility,
      Consumer<ShardPart> onEnd,
      Steps steps,
      WriteOptions options) {
    this.primaries = primaries;
    this.visibility = visibility;
    this.onEnd = onEnd;
    this.steps = steps;
    this.options = options;
    this.deadline = primaries.cluster().deadline(options.timeout());
    this.repeated = new RepeatedReads(primaries.client(), primaries.calls());
  }

  void run(List<ShardPart> parts) throws InterruptedException {
    place(parts);
    steps.await();
  }

  private void place(List<ShardPart> parts) throws InterruptedException {
    ClusterState state = primaries.cluster().newestState();
    List<ShardPart> ready = new ArrayList<>();
    for (ShardPart part : parts) {
      ShardBatch batch = part.batch();
      switch (WritePlace.of(state, batch, options.activeShards())) {
        case WritePlace.Gone _ -> {
          batch.refused(ErrorBodies.indexNotFound(batch.index().name(), "index_or_alias"));
          written(part);
        }
        case WritePlace.NotYet(String reason) ->
            later(part, reason, new RetryWaves.Wave(state.version(), NO_PAUSE));
        case WritePlace.Ready place -> {
          part.placed(place, state.version());
          ready.add(part);
        }
      }
    }
    send(state, ready);
  }

  /** Sends the last request, which is usually the only one, on this thread. */
  private void send(ClusterState state, List<ShardPart> ready) throws InterruptedException {
    if (ready.size() < 2) {
      for (ShardPart part : ready) {
        sendAlone(part);
      }
      return;
    }
    long maxBytes =
        state.has(Feature.NODE_BULKS)
            ? ClusterSettings.bytes(state, ClusterSettings.BULK_REQUEST_SIZE)
            : 0;
    List<List<ShardPart>> requests = BY_NODE.of(ready, maxBytes);
    for (List<ShardPart> request : requests.subList(0, requests.size() - 1)) {
      steps.start(() -> send(request));
    }
    send(requests.getLast());
  }

  private void send(List<ShardPart> request) throws InterruptedException {
    if (request.size() == 1) {
      sendAlone(request.getFirst());
      return;
    }
    List<BulkPart> parts = request.stream().map(part -> part.begin(primaries.calls())).toList();
    primaries
        .client()
        .bulks(parts, left(), (number, answer) -> answered(request.get(number), answer));
  }

  private void sendAlone(ShardPart part) throws InterruptedException {
    BulkPart alone = part.begin(primaries.calls());
    answered(part, primaries.client().bulk(alone.primary(), alone.call(), left()));
  }

  private Duration left() {
    Duration left = deadline.left();
    return left.compareTo(SHORTEST_ATTEMPT) < 0 ? SHORTEST_ATTEMPT : left;
  }

  /** Starts a separate step for all work that may block, because others wait for this thread. */
  private void answered(ShardPart part, BulkAnswer answer) {
    part.end();
    if (part.batch().isUnanswered() && answer instanceof BulkAnswer.Results(var results)) {
      steps.start(() ->
          settle(
              part,
              new BulkAnswer.Results(
                  repeated.results(part.target(), part.repetition(results), left()))));
    } else {
      settle(part, answer);
    }
  }

  private void settle(ShardPart part, BulkAnswer answer) {
    String problem = part.record(answer);
    if (!part.batch().isOpen()) {
      written(part);
    } else if (part.next()) {
      steps.start(() -> sendAlone(part));
    } else {
      later(part, problem, new RetryWaves.Wave(part.version(), part.pauseMillis()));
    }
  }

  private void written(ShardPart part) {
    ShardBatch batch = part.batch();
    if (options.refresh() == RefreshPolicy.NONE || batch.highestSeqNo() < 0) {
      onEnd.accept(part);
      return;
    }
    steps.start(() -> {
      visibility.after(batch, options);
      onEnd.accept(part);
    });
  }

  private void later(ShardPart part, String problem, RetryWaves.Wave wave) {
    ShardBatch batch = part.batch();
    if (deadline.isOver()) {
      batch.refused(batch.isUnanswered() ? unknown(batch, problem) : unavailable(batch, problem));
      written(part);
    } else if (waves.add(wave, part)) {
      steps.start(() -> placeAgain(wave));
    }
  }

  private void placeAgain(RetryWaves.Wave wave) throws InterruptedException {
    primaries
        .cluster()
        .awaitVersion(wave.version() + 1, deadline.leftUpTo(Duration.ofMillis(wave.pauseMillis())));
    place(waves.take(wave));
  }

  private static ErrorBody unknown(ShardBatch batch, String problem) {
    String first = batch.unansweredReason();
    return problem.equals(first)
        ? RepeatedWrite.unknown(first)
        : RepeatedWrite.unknown(first, "then: " + problem);
  }

  private ErrorBody unavailable(ShardBatch batch, String problem) {
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
