package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.consistency.InSyncWait;
import io.varve.client.consistency.InSyncWait.NotShown;
import io.varve.client.consistency.PromiseMeters;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.ShardId;
import io.varve.process.Deadline;
import io.varve.process.Parallel;
import io.varve.rest.RestResponder;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes acked writes visible to searches on every copy in sync, see {@link InSyncWait}. The primary
 * refreshes, or its next refresh is awaited, and the copies are asked in parallel to answer as soon
 * as the write is visible on them. One request to the cluster log tells whether this coordinator
 * knows all copies.
 *
 * <p>If an accepted write does not become visible on a copy in time, it remains successful and the
 * response names that copy, because after a failure the client would write again. Search-only
 * copies are not awaited.
 */
public final class Visibility {

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Per-copy timeout, after which the copy's in-sync status is checked again. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;
  private final PromiseMeters meters;

  public Visibility(
      ClusterAccess cluster, ShardClient client, Parallel parallel, PromiseMeters meters) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
    this.meters = meters;
  }

  /** The number of copies of a shard that show the write, and why the others do not. */
  public record Shown(int copies, int showing, List<ErrorBody> failures) {}

  /** Warns a client that its write was accepted but is not visible everywhere. */
  static void warn(RestResponder responder, List<ShardBatch> batches) {
    if (batches.stream().anyMatch(batch -> !batch.notShown().isEmpty())) {
      responder.warning(
          "written, but not visible on every in-sync copy yet: see the failures in _shards");
    }
  }

  void after(ShardBatch batch, WriteOptions options) throws InterruptedException {
    ShardId shard = batch.routing().shard();
    long began = cluster.clock().nanos();
    Duration limit =
        Duration.ofMillis(
            ClusterSettings.millis(cluster.newestState(), ClusterSettings.VISIBLE_TIMEOUT));
    Duration timeout = options.timeout().compareTo(limit) < 0 ? options.timeout() : limit;
    Deadline deadline = cluster.deadline(timeout);
    boolean atOnce = options.refresh() == RefreshPolicy.IMMEDIATE;
    InSyncWait copies = new InSyncWait();
    if (atOnce) {
      Refreshed refreshed = refreshPrimary(shard, deadline);
      // The primary of a strong index answers when every copy is known to hold the write.
      if (!isStrong(shard)) {
        refreshed.note(copies, batch.highestSeqNo());
      }
    }
    batch.notShownOn(await(shard, batch.highestSeqNo(), copies, atOnce, deadline));
    meters.visibleEverywhere(cluster.clock().nanos() - began, batch.notShown().isEmpty());
  }

  private boolean isStrong(ShardId shard) {
    return cluster
        .newestState()
        .index(shard.indexUuid())
        .filter(index -> IndexSettings.isStrong(index.settings()))
        .isPresent();
  }

  /** Refreshes a shard and waits until the result is visible on all of its copies in sync. */
  public Shown refresh(ShardId shard, Duration timeout) throws InterruptedException {
    return refresh(shard, new InSyncWait(), timeout);
  }

  /**
   * Refreshes a shard for a read that follows, and waits until the result is visible on the copies
   * in sync that this coordinator knows, because the read asks one of these.
   */
  void refreshBeforeRead(ShardId shard, Duration timeout) throws InterruptedException {
    var _ = refresh(shard, InSyncWait.ofKnownCopies(), timeout);
  }

  private Shown refresh(ShardId shard, InSyncWait asked, Duration timeout)
      throws InterruptedException {
    Deadline deadline = cluster.deadline(timeout);
    if (cluster.state().shard(shard).filter(ShardRouting::released).isPresent()) {
      // All operations became visible before the writers were removed.
      return new Shown(0, 0, List.of());
    }
    Refreshed refreshed = refreshPrimary(shard, deadline);
    Optional<ShardRouting> routing = cluster.state().shard(shard);
    if (routing.isEmpty()) {
      return new Shown(0, 0, List.of());
    }
    int copies = routing.get().writeCopies().size();
    if (refreshed.problem() != null) {
      return new Shown(copies, 0, List.of(refreshed.problem()));
    }
    refreshed.note(asked, refreshed.seqNo());
    List<NotShown> notShown = await(shard, refreshed.seqNo(), asked, true, deadline);
    return new Shown(
        copies,
        asked.showing(started(cluster.state(), shard)),
        notShown.stream().map(NotShown::error).toList());
  }

  /** The seq_no that the primary shows, or why it could not be asked. */
  private record Refreshed(long seqNo, @Nullable CopyAddress primary, @Nullable ErrorBody problem) {

    void note(InSyncWait copies, long wantedSeqNo) {
      if (primary != null && seqNo >= wantedSeqNo) {
        copies.markVisible(primary);
      }
    }
  }

  /**
   * Refreshes the primary. If it cannot be asked, retries with the primary of newer cluster states
   * until the deadline.
   */
  private Refreshed refreshPrimary(ShardId shard, Deadline deadline) throws InterruptedException {
    while (true) {
      ClusterState state = cluster.newestState();
      List<CopyAddress> started = started(state, shard);
      ErrorBody problem =
          ErrorBody.of(503, "unavailable_shards_exception", "primary shard is not active");
      if (!started.isEmpty() && started.getFirst().copy().primary()) {
        try {
          CopyAddress primary = started.getFirst();
          return new Refreshed(client.refresh(primary, deadline.left()), primary, null);
        } catch (ApiException e) {
          problem = e.error();
        } catch (UnreachableException e) {
          problem = unreachable(e);
        }
      }
      if (deadline.isOver() || state.shard(shard).isEmpty()) {
        return new Refreshed(-1, null, problem);
      }
      pause(state, deadline);
    }
  }

  /** Returns the copies in sync on which {@code seqNo} is not visible. */
  private List<NotShown> await(
      ShardId shard, long seqNo, InSyncWait wait, boolean hurry, Deadline deadline)
      throws InterruptedException {
    while (true) {
      ClusterState state = cluster.newestState();
      boolean wasPublished = wait.isPublished();
      parallel.map(
          wait.open(assigned(state, shard)),
          copy -> {
            Optional<ErrorBody> problem = ask(copy, seqNo, hurry, deadline.leftUpTo(LOOK_AGAIN));
            synchronized (wait) {
              problem.ifPresentOrElse(
                  why -> wait.markNotVisible(copy, why), () -> wait.markVisible(copy));
            }
            return copy;
          });
      List<CopyAddress> assigned = assigned(cluster.newestState(), shard);
      if (wait.needsCurrentState()
          && wait.open(assigned).isEmpty()
          && cluster.awaitCurrentState(deadline.left())) {
        wait.markCurrent();
        assigned = assigned(cluster.newestState(), shard);
      }
      boolean gone = cluster.newestState().shard(shard).isEmpty();
      if (wait.isDone(assigned) || gone || deadline.isOver()) {
        return wait.notShown(assigned);
      }
      if (wasPublished || !wait.isPublished()) {
        pause(state, deadline);
      }
    }
  }

  private static List<CopyAddress> assigned(ClusterState state, ShardId shard) {
    return state
        .shard(shard)
        .map(routing -> CopyAddress.assigned(state, routing))
        .orElse(List.of());
  }

  private static List<CopyAddress> started(ClusterState state, ShardId shard) {
    return state.shard(shard).map(routing -> CopyAddress.writing(state, routing)).orElse(List.of());
  }

  private void pause(ClusterState seen, Deadline deadline) throws InterruptedException {
    cluster.awaitVersion(seen.version() + 1, deadline.leftUpTo(PAUSE));
  }

  private Optional<ErrorBody> ask(CopyAddress copy, long seqNo, boolean hurry, Duration timeout)
      throws InterruptedException {
    try {
      client.awaitVisible(copy, seqNo, hurry, timeout);
      return Optional.empty();
    } catch (ApiException e) {
      return Optional.of(e.error());
    } catch (UnreachableException e) {
      return Optional.of(unreachable(e));
    }
  }

  private static ErrorBody unreachable(UnreachableException failure) {
    return ErrorBody.of(503, "connect_transport_exception", String.valueOf(failure.getMessage()));
  }
}
