package io.varve.coordinator.rest.byquery;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.RereplicateCall;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationProgress;
import io.varve.rpc.RereplicationWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a re-replication job in one shard: asks its primary for one step after the other.
 *
 * <p>If a primary is busy or does not answer, the request is repeated until {@link
 * #PATIENCE_MILLIS} after its last answer.
 */
final class ShardWalk {

  private static final Duration STEP_TIMEOUT = Duration.ofMinutes(6);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS = 500;

  /** The job, the same in all shards. */
  record Job(String id, RereplicateRequest.Method method, RereplicationWork work) {}

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final ShardId shard;
  private final Job job;
  private RereplicationProgress progress;
  private RereplicationPage.Compared compared = RereplicationPage.Compared.NOTHING;
  private long heldMillis;
  private @Nullable ErrorBody failure;

  ShardWalk(
      ClusterAccess cluster, ShardClient client, ShardId shard, Job job, RereplicationPosition at) {
    this.cluster = cluster;
    this.client = client;
    this.shard = shard;
    this.job = job;
    this.progress = RereplicationProgress.from(at);
  }

  /**
   * Claims the shard for the job, and counts its records.
   *
   * @throws ApiException 409 if another job has it
   */
  void claim() throws InterruptedException {
    refuseBlockedWrites();
    RereplicationPage page = call("begin");
    synchronized (this) {
      progress = progress.withLeft(page.left());
    }
  }

  /** Renews the claim. If the primary does not answer, the next call reports this. */
  void renew() throws InterruptedException {
    try {
      var _ = call("keep");
    } catch (ApiException | ShardClient.UnreachableException e) {
      // The next proof is refused if the claim was lost.
      return;
    }
  }

  /**
   * Releases the claim; if the primary does not answer, other jobs have to wait until the claim
   * expires.
   */
  void end() throws InterruptedException {
    try {
      var _ = call("end");
    } catch (ApiException | ShardClient.UnreachableException e) {
      // The claim expires.
      return;
    }
  }

  /** Runs until the shard is done, the task is cancelled, or the primary no longer answers. */
  void run(Task task, Throttle throttle) throws InterruptedException {
    String step = job.method() == RereplicateRequest.Method.CHECKPOINT ? "checkpoint" : "walk";
    while (!task.cancelled() && !isDone() && !hasFailed()) {
      long beganNanos = throttle.nanos();
      Optional<RereplicationPage> page =
          answered(
              () -> {
                refuseBlockedWrites();
                return call(step);
              },
              task,
              throttle);
      if (page.isPresent()) {
        step(page.get());
        throttle.await(page.get().outcomes().checked(), beganNanos, Long.MAX_VALUE / 1_000_000);
      }
    }
  }

  /**
   * Requests that the primary prove these versions.
   *
   * @return the proven ones; empty if the task is cancelled or the primary no longer answers
   */
  List<HoldsWire.Version> prove(List<HoldsWire.Version> versions, Task task, Throttle throttle)
      throws InterruptedException {
    if (hasFailed()) {
      return List.of();
    }
    Optional<ProvenRecords> records =
        answered(
            () -> {
              CopyAddress primary = primary();
              return answer(primary, () -> client.prove(primary, job.id(), versions, STEP_TIMEOUT));
            },
            task,
            throttle);
    records.ifPresent(found -> proved(versions.size(), found));
    return records
        .map(found -> found.positions().stream().map(versions::get).toList())
        .orElse(List.of());
  }

  private interface Call<T> {
    T run() throws InterruptedException;
  }

  /** Repeats a call until it is answered; empty when the task or the patience is over. */
  private <T> Optional<T> answered(Call<T> call, Task task, Throttle throttle)
      throws InterruptedException {
    long beganNanos = throttle.nanos();
    while (!task.cancelled()) {
      ErrorBody error;
      try {
        return Optional.of(call.run());
      } catch (ApiException e) {
        error = e.error();
      } catch (ShardClient.UnreachableException e) {
        error = ErrorBody.of(503, "connect_transport_exception", String.valueOf(e.getMessage()));
      }
      boolean late = (throttle.nanos() - beganNanos) / 1_000_000 >= PATIENCE_MILLIS;
      if (late || !mayPass(error)) {
        fail(error);
        return Optional.empty();
      }
      throttle.pause(PAUSE_MILLIS);
    }
    return Optional.empty();
  }

  /** A shard that is moving or starting answers 404, 409 or 503, a busy one 429. */
  private static boolean mayPass(ErrorBody error) {
    return error.status() == 404
        || error.status() == 409
        || error.status() == 429
        || error.status() == 503;
  }

  private RereplicationPage call(String step) throws InterruptedException {
    CopyAddress primary = primary();
    return answer(
        primary,
        () ->
            client.rereplicate(
                primary,
                new RereplicateCall(step, job.id(), position(), job.work()),
                STEP_TIMEOUT));
  }

  /**
   * Calls a primary.
   *
   * @throws ApiException 400 if its process is of a release without jobs
   */
  private <T> T answer(CopyAddress primary, Call<T> call) throws InterruptedException {
    try {
      return call.run();
    } catch (ApiException e) {
      if (e.error().endpointIsMissing()) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "the primary of %s is on node [%s], whose release can't re-replicate"
                    .formatted(shard, primary.node().name())));
      }
      throw e;
    }
  }

  private void refuseBlockedWrites() {
    if (job.work().operations().writes()) {
      cluster
          .state()
          .index(shard.indexUuid())
          .flatMap(index -> IndexBlocks.refusal(index, IndexBlocks.Action.WRITE))
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
  }

  private CopyAddress primary() {
    ClusterState state = cluster.state();
    return state
        .shard(shard)
        .flatMap(routing -> CopyAddress.of(state, routing, routing.primary()))
        .orElseThrow(() ->
            new ApiException(
                503,
                "no_shard_available_action_exception",
                "no primary of " + shard + " is assigned"));
  }

  private synchronized void step(RereplicationPage page) {
    progress = progress.after(page, job.work().operations().writes());
    heldMillis += page.throttledMillis();
    RereplicationPage.Compared more = page.compared();
    if (more != null) {
      compared = compared.plus(more);
    }
    RereplicationPage.Failure reason = page.failure();
    if (reason != null) {
      failure = reason.error();
    }
  }

  private synchronized void proved(int asked, ProvenRecords records) {
    progress =
        progress.withProofs(
            new RereplicationPage.Outcomes(asked, records.proofs(), RereplicationPage.Writes.NONE));
    heldMillis += records.throttledMillis();
  }

  private synchronized void fail(ErrorBody error) {
    failure = error;
  }

  private synchronized boolean hasFailed() {
    return failure != null;
  }

  synchronized boolean isDone() {
    return progress.done();
  }

  synchronized RereplicationPosition position() {
    return progress.at();
  }

  synchronized RereplicationPage.Outcomes outcomes() {
    return progress.outcomes();
  }

  synchronized RereplicationPage.Compared compared() {
    return compared;
  }

  synchronized long left() {
    return progress.left();
  }

  synchronized long heldMillis() {
    return heldMillis;
  }

  ShardId shard() {
    return shard;
  }

  synchronized Optional<Map<String, Object>> failure() {
    return Optional.ofNullable(failure)
        .map(error ->
            object("shard", shard.number(), "status", error.status(), "reason", error.toMap()));
  }

  synchronized Map<String, Object> json() {
    return object(
        "shard",
        shard.number(),
        "next_seq_no",
        progress.at().nextSeqNo(),
        "end_seq_no",
        progress.at().endSeqNo(),
        job.work().operations().writes() ? "left" : "unreplicated_records",
        progress.left(),
        "done",
        progress.done(),
        "restarted",
        progress.restarted());
  }
}
