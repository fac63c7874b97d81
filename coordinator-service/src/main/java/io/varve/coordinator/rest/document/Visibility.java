package io.varve.coordinator.rest.document;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what was acked visible to searches on every started copy: the primary refreshes (or its
 * interval is awaited), then all copies are asked, at the same time, to say when they show it.
 *
 * <p>A replica that can't be reached doesn't hold up a write: searches pass it by as well. A
 * primary that can't be asked is looked for again, in the newer cluster state, until the time is
 * over.
 */
public final class Visibility {

  private static final Logger LOG = LoggerFactory.getLogger(Visibility.class);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;

  public Visibility(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
  }

  /** How many copies of a shard show what was asked for, and why the others don't. */
  public record Shown(int copies, int showing, List<ErrorBody> failures) {}

  void after(ShardBatch batch, WriteOptions options) throws InterruptedException {
    ShardId shard = batch.routing().shard();
    Shown shown =
        options.refresh() == RefreshPolicy.IMMEDIATE
            ? refresh(shard, options.timeout())
            : await(shard, batch.highestSeqNo(), options.timeout());
    if (!shown.failures().isEmpty()) {
      LOG.warn("{}: not visible everywhere after a write: {}", shard, shown.failures());
    }
  }

  /** Refreshes a shard and waits until all of its started copies show the result. */
  public Shown refresh(ShardId shard, Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      ClusterState state = cluster.state();
      Optional<ShardRouting> routing = state.shard(shard);
      if (routing.isEmpty()) {
        return new Shown(0, 0, List.of());
      }
      List<CopyAddress> started = CopyAddress.started(state, routing.get());
      ErrorBody problem = noPrimary();
      if (!started.isEmpty() && started.getFirst().copy().primary()) {
        try {
          long seqNo = client.refresh(started.getFirst(), remaining(deadline));
          return shown(routing.get(), started.subList(1, started.size()), 1, seqNo, deadline);
        } catch (ApiException e) {
          problem = e.error();
        } catch (UnreachableException e) {
          problem = unreachable(e);
        }
      }
      Duration left = remaining(deadline);
      if (left.isZero()) {
        return new Shown(routing.get().copies().size(), 0, List.of(problem));
      }
      cluster.awaitVersion(state.version() + 1, left.compareTo(PAUSE) < 0 ? left : PAUSE);
    }
  }

  private Shown await(ShardId shard, long seqNo, Duration timeout) throws InterruptedException {
    ClusterState state = cluster.state();
    Optional<ShardRouting> routing = state.shard(shard);
    return routing.isEmpty()
        ? new Shown(0, 0, List.of())
        : shown(
            routing.get(),
            CopyAddress.started(state, routing.get()),
            0,
            seqNo,
            System.nanoTime() + timeout.toNanos());
  }

  private Shown shown(
      ShardRouting routing, List<CopyAddress> asked, int showing, long seqNo, long deadline)
      throws InterruptedException {
    List<Optional<ErrorBody>> answers =
        parallel.map(asked, copy -> awaitVisible(copy, seqNo, remaining(deadline)));
    List<ErrorBody> failures = new ArrayList<>();
    answers.forEach(answer -> answer.ifPresent(failures::add));
    return new Shown(routing.copies().size(), showing + asked.size() - failures.size(), failures);
  }

  private Optional<ErrorBody> awaitVisible(CopyAddress copy, long seqNo, Duration timeout)
      throws InterruptedException {
    try {
      client.awaitVisible(copy, seqNo, timeout);
      return Optional.empty();
    } catch (ApiException e) {
      return Optional.of(e.error());
    } catch (UnreachableException e) {
      return Optional.of(unreachable(e));
    }
  }

  private static ErrorBody noPrimary() {
    return ErrorBody.of(503, "unavailable_shards_exception", "primary shard is not active");
  }

  private static ErrorBody unreachable(UnreachableException failure) {
    return ErrorBody.of(503, "connect_transport_exception", String.valueOf(failure.getMessage()));
  }

  private static Duration remaining(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }
}
