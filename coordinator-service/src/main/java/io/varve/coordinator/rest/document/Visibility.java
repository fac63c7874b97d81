package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.consistency.PromiseMeters;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
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
 * Makes what was acked visible to searches on every copy that is in sync: the primary refreshes (or
 * its interval is awaited), and all copies are asked, at the same time, to say when they show it;
 * one that is just about to be known as started too.
 *
 * <p>A write that is in the log stays a success when a copy does not show it in time: its answer
 * names that copy. A client that was told of a failure would write again. Copies for searches alone
 * hold up nobody.
 */
public final class Visibility {

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** A copy is asked for so long; then it is seen whether it is still in sync. */
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

  /** A copy that does not show what it was to show, and why. */
  record NotShown(CopyAddress copy, ErrorBody error) {}

  /** How many copies of a shard show what was asked for, and why the others don't. */
  public record Shown(int copies, int showing, List<ErrorBody> failures) {}

  /** Tells a client that its write is done but not visible everywhere. */
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
        Duration.ofMillis(ClusterSettings.millis(cluster.state(), ClusterSettings.VISIBLE_TIMEOUT));
    Duration timeout = options.timeout().compareTo(limit) < 0 ? options.timeout() : limit;
    Deadline deadline = cluster.deadline(timeout);
    boolean atOnce = options.refresh() == RefreshPolicy.IMMEDIATE;
    InSyncWait copies = new InSyncWait();
    if (atOnce) {
      refreshPrimary(shard, deadline).note(copies, batch.highestSeqNo());
    }
    Wait wait = await(shard, batch.highestSeqNo(), copies, atOnce, deadline);
    batch.notShownOn(wait.copies().notShown(wait.started()));
    meters.visibleEverywhere(cluster.clock().nanos() - began, batch.notShown().isEmpty());
  }

  /** Refreshes a shard and waits until all of its in-sync copies show the result. */
  public Shown refresh(ShardId shard, Duration timeout) throws InterruptedException {
    Deadline deadline = cluster.deadline(timeout);
    if (cluster.state().shard(shard).filter(ShardRouting::released).isPresent()) {
      // All that there is was shown before the writers went.
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
    InSyncWait asked = new InSyncWait();
    refreshed.note(asked, refreshed.seqNo());
    Wait wait = await(shard, refreshed.seqNo(), asked, true, deadline);
    return new Shown(
        copies,
        wait.copies().showing(wait.started()),
        wait.copies().notShown(wait.started()).stream().map(NotShown::error).toList());
  }

  /** What the primary shows now, or why it could not be asked. */
  private record Refreshed(long seqNo, @Nullable CopyAddress primary, @Nullable ErrorBody problem) {

    void note(InSyncWait copies, long wantedSeqNo) {
      if (primary != null && seqNo >= wantedSeqNo) {
        copies.shows(primary);
      }
    }
  }

  /** A primary that can't be asked is looked for again, in the newer state, while there is time. */
  private Refreshed refreshPrimary(ShardId shard, Deadline deadline) throws InterruptedException {
    while (true) {
      ClusterState state = cluster.state();
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

  private record Wait(InSyncWait copies, List<CopyAddress> started) {}

  private Wait await(ShardId shard, long seqNo, InSyncWait wait, boolean hurry, Deadline deadline)
      throws InterruptedException {
    while (true) {
      ClusterState state = cluster.state();
      parallel.map(
          wait.open(assigned(state, shard)),
          copy -> {
            Optional<ErrorBody> problem = ask(copy, seqNo, hurry, deadline.leftUpTo(LOOK_AGAIN));
            synchronized (wait) {
              problem.ifPresentOrElse(why -> wait.showsNot(copy, why), () -> wait.shows(copy));
            }
            return copy;
          });
      List<CopyAddress> startedNow = started(cluster.state(), shard);
      boolean gone = cluster.state().shard(shard).isEmpty();
      if (wait.isOver(startedNow) || gone || deadline.isOver()) {
        return new Wait(wait, startedNow);
      }
      pause(state, deadline);
    }
  }

  /** One that is on its way shows it when it is started, or is not started yet. */
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
