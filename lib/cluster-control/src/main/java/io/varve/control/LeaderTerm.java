package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterSnapshot;
import io.varve.cluster.ClusterState;
import io.varve.cluster.DeletedIndexUuids;
import io.varve.cluster.SnapshotSchedule;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of a leader: the writer that appends the leader's events, and the state with all of
 * these events applied, including those not yet accepted. Not thread-safe: only the leader's thread
 * uses it.
 *
 * <p>INVARIANT: an event is in the state if and only if it was passed to the log. If one is not
 * accepted, no later one is, and the term ends.
 *
 * <p>INVARIANT: no event of a higher feature level than the cluster's is appended, so every member
 * can read all events.
 */
final class LeaderTerm {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);

  private final FencedWriter writer;
  private final DeletedIndexUuids deletedIndices;
  private SnapshotSchedule schedule;
  private ClusterState state;
  private long nextSeqNo;
  private CompletableFuture<Long> newest;

  /** {@code fold} has read the log up to this term's fence, which won. */
  LeaderTerm(FencedWriter writer, ClusterFold fold) {
    this.writer = writer;
    this.deletedIndices = new DeletedIndexUuids(fold.deletedIndicesOldestFirst());
    this.schedule = fold.schedule();
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
   * @throws ApiException 503: the log accepts no more appends; a part may have been appended
   */
  void append(List<ClusterEvent> events) {
    for (ClusterEvent event : events) {
      try {
        newest = append(event);
      } catch (LogException.Full e) {
        throw LeaderErrors.unavailable("the log accepts no appends: " + e.getMessage());
      }
    }
  }

  /**
   * Appends a snapshot of the state if one is due. If the log accepts only a part of it, the
   * snapshot is incomplete and no reader uses it.
   *
   * @throws ApiException 503: no longer leading
   */
  void appendSnapshotIfDue() {
    if (!state.has(Feature.CLUSTER_LOG_SNAPSHOTS)
        || !schedule.due(SnapshotSchedule.Limits.of(state))) {
      return;
    }
    long version = state.version();
    List<ClusterEvent.SnapshotPart> parts =
        ClusterSnapshot.of(state, deletedIndices.oldestFirst()).parts();
    long bytes = 0;
    try {
      for (ClusterEvent.SnapshotPart part : parts) {
        long before = schedule.bytes();
        newest = append(part);
        bytes += schedule.bytes() - before;
      }
      LOG.info("wrote a snapshot of version {} to the cluster log: {} bytes", version, bytes);
    } catch (LogException.Full e) {
      LOG.warn("the snapshot of version {} is incomplete: {}", version, e.getMessage());
    }
    schedule = schedule.written(bytes);
  }

  /** Completes with the version of {@link #state} when everything appended so far is accepted. */
  CompletableFuture<Long> accepted() {
    return newest;
  }

  private CompletableFuture<Long> append(ClusterEvent event) throws LogException.Full {
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    ClusterState next = next(event);
    long version = next.version();
    byte[] key = event.entity().getBytes(StandardCharsets.UTF_8);
    RawRecord record = RecordHeader.data(writer.term(), nextSeqNo, key, Json.write(event));
    boolean open =
        writer.append(
            record,
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
      throw LeaderErrors.unavailable("no longer leading: " + writer.closedReason());
    }
    nextSeqNo++;
    state = next;
    deletedIndices.add(event);
    schedule = schedule.appended(record.sizeBytes());
    return accepted;
  }

  private ClusterState next(ClusterEvent event) {
    ClusterState next = state.apply(event);
    if (event.since() > next.featureLevel()) {
      throw new IllegalStateException(
          event.getClass().getSimpleName()
              + " needs feature level "
              + event.since()
              + ", the cluster is at feature level "
              + next.featureLevel());
    }
    return next;
  }

  void end(String reason) {
    writer.close(reason);
  }
}
