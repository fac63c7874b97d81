package io.varve.coordinator.rest.byquery;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.RereplicateCall;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.RereplicationPage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a re-replication job in one shard: asks its primary for one step after the other.
 *
 * <p>A primary that is busy or does not answer is asked again, for {@link #PATIENCE_MILLIS} since
 * its last answer. Under another primary the shard begins again, because what the former one knew
 * is gone.
 */
final class ShardWalk {

  private static final Duration STEP_TIMEOUT = Duration.ofMinutes(6);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS = 500;

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final ShardId shard;
  private final RereplicateRequest.Method method;
  private final String job;
  private ResumeToken.At at;
  private RereplicationPage.Outcomes outcomes = RereplicationPage.Outcomes.NONE;
  private long left;
  private long heldMillis;
  private boolean restarted;
  private boolean done;
  private @Nullable ErrorBody failure;

  ShardWalk(
      ClusterAccess cluster,
      ShardClient client,
      ShardId shard,
      RereplicateRequest.Method method,
      String job,
      ResumeToken.At at) {
    this.cluster = cluster;
    this.client = client;
    this.shard = shard;
    this.method = method;
    this.job = job;
    this.at = at;
  }

  /**
   * Claims the shard for the job.
   *
   * @throws ApiException 409 if another job has it
   */
  void begin() throws InterruptedException {
    RereplicationPage page = call("begin");
    synchronized (this) {
      left = page.left();
    }
  }

  /** Lets other jobs have the shard; if its primary does not answer, they have to wait. */
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
    long heardNanos = throttle.nanos();
    while (!task.cancelled() && !isDone()) {
      long beganNanos = throttle.nanos();
      long before = checked();
      try {
        step(call(method.text()));
        heardNanos = throttle.nanos();
        throttle.await(checked() - before, beganNanos, Long.MAX_VALUE / 1_000_000);
      } catch (ApiException e) {
        if (!mayPass(e.error()) || isLate(heardNanos, throttle)) {
          fail(e.error());
          return;
        }
        throttle.pause(PAUSE_MILLIS);
      } catch (ShardClient.UnreachableException e) {
        if (isLate(heardNanos, throttle)) {
          fail(ErrorBody.of(503, "connect_transport_exception", String.valueOf(e.getMessage())));
          return;
        }
        throttle.pause(PAUSE_MILLIS);
      }
    }
  }

  private static boolean isLate(long heardNanos, Throttle throttle) {
    return (throttle.nanos() - heardNanos) / 1_000_000 >= PATIENCE_MILLIS;
  }

  /** A shard that is moving or starting answers 404, 409 or 503, a busy one 429. */
  private static boolean mayPass(ErrorBody error) {
    return error.status() == 404
        || error.status() == 409
        || error.status() == 429
        || error.status() == 503;
  }

  private RereplicationPage call(String step) throws InterruptedException {
    ClusterState state = cluster.state();
    Optional<CopyAddress> primary =
        state.shard(shard).flatMap(routing -> CopyAddress.of(state, routing, routing.primary()));
    if (primary.isEmpty()) {
      throw new ApiException(
          503, "no_shard_available_action_exception", "no primary of " + shard + " is assigned");
    }
    ResumeToken.At from = position();
    return client.rereplicate(
        primary.get(),
        new RereplicateCall(
            step, job, from.term(), from.incarnation(), from.nextSeqNo(), from.endSeqNo()),
        STEP_TIMEOUT);
  }

  private synchronized void step(RereplicationPage page) {
    boolean begun = !at.equals(ResumeToken.At.START);
    restarted |=
        begun && (page.term() != at.term() || !page.incarnation().equals(at.incarnation()));
    at = new ResumeToken.At(page.term(), page.incarnation(), page.nextSeqNo(), page.endSeqNo());
    outcomes = outcomes.plus(page.outcomes());
    left = page.left() < 0 ? Math.max(0, left - page.outcomes().success()) : page.left();
    heldMillis += page.throttledMillis();
    done = page.done();
  }

  private synchronized void fail(ErrorBody error) {
    failure = error;
  }

  synchronized boolean isDone() {
    return done;
  }

  synchronized ResumeToken.At position() {
    return at;
  }

  synchronized RereplicationPage.Outcomes outcomes() {
    return outcomes;
  }

  long checked() {
    return outcomes().checked();
  }

  synchronized long left() {
    return left;
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
        at.nextSeqNo(),
        "end_seq_no",
        at.endSeqNo(),
        "unreplicated_records",
        left,
        "done",
        done,
        "restarted",
        restarted);
  }
}
