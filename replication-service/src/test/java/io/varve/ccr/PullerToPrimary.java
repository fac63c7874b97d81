package io.varve.ccr;

import io.varve.cluster.FollowRelation;
import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import io.varve.shard.primary.PrimaryCopy;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A real puller that calls a real primary of the same process, without HTTP between them. What an
 * error of the primary means to it is decided as over HTTP.
 */
public final class PullerToPrimary implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final ShardPuller puller;

  /**
   * @param leader the log of the leader's shard, which is never truncated
   * @param primary the primary of now; empty if there is none
   */
  public PullerToPrimary(
      ShardId shard,
      FollowRelation follow,
      PartitionLog leader,
      Supplier<Optional<PrimaryCopy>> primary) {
    this.puller =
        new ShardPuller(
            shard,
            follow,
            new Primary(primary),
            () ->
                new ShardPuller.Leader(
                    () -> {},
                    leader,
                    new LeaseKeeper(null, new ShardId(follow.leaderUuid(), 0), "follower"),
                    new ReadAhead(1 << 20)),
            _ -> {},
            InstantSource.system());
  }

  public PullerStats stats() {
    return puller.stats();
  }

  @Override
  public void close() {
    puller.close();
  }

  private record Primary(Supplier<Optional<PrimaryCopy>> now) implements ShardPuller.Follower {

    @Override
    public Optional<ReplicateWire.Cursor> cursor() throws InterruptedException {
      Optional<PrimaryCopy> primary = now.get();
      try {
        return primary.isPresent() ? Optional.of(primary.get().cursor()) : Optional.empty();
      } catch (ApiException e) {
        return Optional.empty();
      }
    }

    @Override
    public FollowerPrimary.Outcome replicate(long assignment, List<Operation> operations)
        throws InterruptedException {
      Optional<PrimaryCopy> primary = now.get();
      if (primary.isEmpty()) {
        return new FollowerPrimary.Outcome.TryAgain("there is no primary");
      }
      try {
        return new FollowerPrimary.Outcome.Held(
            primary.get().replicate(assignment, operations, TIMEOUT));
      } catch (ApiException e) {
        return FollowerPrimary.refused(
            e.error().status(), Json.mapper().valueToTree(e.error().toMap()));
      }
    }

    @Override
    public Optional<BootstrapWire.Status> bootstrap() {
      return now.get().map(PrimaryCopy::bootstrap);
    }

    @Override
    public void begin(long assignment, BootstrapWire.Plan plan) throws IOException {
      var _ =
          now.get()
              .orElseThrow(() -> new IOException("there is no primary"))
              .bootstrap(assignment, plan);
    }
  }
}
