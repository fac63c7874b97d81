package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterState;
import io.varve.events.Json;
import io.varve.events.RecordHeader;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One term of leading: the state with all own events in it, those not yet accepted too, and the
 * writer that appends them. Not thread-safe: the leader's thread alone uses it.
 *
 * <p>INVARIANT: an event is in the state exactly if it was handed to the log. Should one of them
 * not be accepted, then no later one is, and the whole reign ends.
 *
 * <p>INVARIANT: no event is appended that is of a higher feature level than the cluster, so every
 * member can read it.
 */
final class Reign {

  private final FencedWriter writer;
  private ClusterState state;
  private long nextSeqNo;
  private CompletableFuture<Long> newest;

  /** {@code fold} has read the log up to this term's fence, which won. */
  Reign(FencedWriter writer, ClusterFold fold) {
    this.writer = writer;
    this.state = fold.state();
    this.nextSeqNo = fold.fence().nextSeqNo();
    this.newest = CompletableFuture.completedFuture(state.version());
  }

  FencedWriter writer() {
    return writer;
  }

  ClusterState state() {
    return state;
  }

  /**
   * Appends in order and applies.
   *
   * @throws ApiException 503: the log takes no more; a part may have been appended
   */
  void append(List<ClusterEvent> events) {
    for (ClusterEvent event : events) {
      newest = append(event);
    }
  }

  /** Completes with the version of {@link #state} when all that was appended is accepted. */
  CompletableFuture<Long> accepted() {
    return newest;
  }

  private CompletableFuture<Long> append(ClusterEvent event) {
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    ClusterState next = state.apply(event);
    if (event.since() > next.featureLevel()) {
      throw new IllegalStateException(
          event.getClass().getSimpleName()
              + " needs feature level "
              + event.since()
              + ", the cluster is at feature level "
              + next.featureLevel());
    }
    long version = next.version();
    byte[] key = event.entity().getBytes(StandardCharsets.UTF_8);
    try {
      boolean open =
          writer.append(
              RecordHeader.data(writer.term(), nextSeqNo, key, Json.write(event)),
              outcome -> {
                switch (outcome) {
                  case FencedWriter.Outcome.Accepted _ -> accepted.complete(version);
                  case FencedWriter.Outcome.Unknown(var reason) ->
                      accepted.completeExceptionally(LeaderErrors.unknownOutcome(reason));
                  case FencedWriter.Outcome.Rejected(var reason) ->
                      accepted.completeExceptionally(LeaderErrors.unavailable(reason));
                }
              });
      if (!open) {
        throw LeaderErrors.unavailable("not leading any more: " + writer.closedReason());
      }
    } catch (LogException.Full e) {
      throw LeaderErrors.unavailable("the log takes no more now: " + e.getMessage());
    }
    nextSeqNo++;
    state = next;
    return accepted;
  }

  void end(String reason) {
    writer.close(reason);
  }
}
