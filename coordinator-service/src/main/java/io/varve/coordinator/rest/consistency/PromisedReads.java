package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.events.CopyProgress;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the copies of a shard one after the other until one answers, in the order of {@link
 * ReadCourse}; after the started ones those that answer while they are being built.
 *
 * <p>Where the read has a promise that no copy could keep yet, the newer state of the cluster is
 * looked at and the copies are asked again, until its time is over: a primary may have failed over
 * meanwhile. So it is for any read whose copy is gone or was followed by another primary. No copy
 * is waited for longer than half of the time that is left, so that one which will never show it
 * does not take all.
 */
public final class PromisedReads {

  private static final Logger LOG = LoggerFactory.getLogger(PromisedReads.class);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How far behind the cluster this coordinator may be, where nothing was promised. */
  private static final Duration UNTIL_FOLLOWED = Duration.ofSeconds(5);

  private static final Duration UNTIL_FOUND = Duration.ofMillis(500);

  private static final long SHORTEST_WAIT_MILLIS = 20;

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final KnownSeqNos known;
  private final PromiseMeters meters;

  public PromisedReads(
      ClusterAccess cluster, ShardClient client, KnownSeqNos known, PromiseMeters meters) {
    this.cluster = cluster;
    this.client = client;
    this.known = known;
    this.meters = meters;
  }

  /**
   * Which copies may be asked, and when to give up.
   *
   * @param order puts copies into the order of preference
   * @param isFinal whether an error is the request's own fault: no other copy is asked then
   */
  public record Way(UnaryOperator<List<CopyAddress>> order, Predicate<ErrorBody> isFinal) {}

  /** What a copy answered. */
  public record Reply<T>(CopyAddress copy, T answer) {}

  /** Asks one copy, or others with it. */
  @FunctionalInterface
  public interface Asking<T> {

    /**
     * Throws what a {@link ShardClient} does.
     *
     * @param spares that may be asked too
     */
    Reply<T> ask(CopyAddress copy, Spares spares, ReadDemand demand) throws InterruptedException;
  }

  /** What came of it. */
  public sealed interface Outcome<T> {

    /** A copy answered. */
    record Answered<T>(CopyAddress copy, T answer) implements Outcome<T> {}

    /** None did; {@code error} is what was wrong with the copy asked last, on {@code nodeId}. */
    record Failed<T>(@Nullable String nodeId, ErrorBody error) implements Outcome<T> {}
  }

  /**
   * The failure that is told in the end: what a copy did not show says more than that it is gone.
   */
  private static final class Failure {

    /** How long the newer state is waited for: a copy was gone, or the primary was followed. */
    private Duration patience = Duration.ZERO;

    private @Nullable String nodeId;
    private ErrorBody error =
        ErrorBody.of(503, "no_shard_available_action_exception", "no started copy of the shard");

    void add(CopyAddress copy, ErrorBody newer) {
      if (newer.type().equals(WriteResult.STALE_PRIMARY)) {
        patience = UNTIL_FOLLOWED;
      } else if (newer.type().equals("shard_not_found_exception") && patience.isZero()) {
        patience = UNTIL_FOUND;
      }
      if (!isTimeout(error) || isTimeout(newer)) {
        nodeId = copy.node().nodeId();
        error = newer;
      }
    }

    static boolean isTimeout(ErrorBody error) {
      return error.type().equals(ReadDemand.TIMEOUT_TYPE);
    }
  }

  /** Begins in the state that the request has seen. */
  public <T> Outcome<T> read(
      ClusterState state, ShardRouting shard, Way way, Reading reading, Asking<T> asking)
      throws InterruptedException {
    ReadDemand demand = reading.demand(shard.shard());
    long began = System.nanoTime();
    Failure failure = new Failure();
    ClusterState seen = state;
    ShardRouting routing = shard;
    while (true) {
      Outcome<T> outcome = once(seen, routing, way, reading, asking, failure);
      if (outcome != null) {
        return outcome;
      }
      boolean over =
          demand.isNone()
              ? System.nanoTime() - began >= failure.patience.toNanos()
              : reading.leftMillis() == 0;
      if (over) {
        return new Outcome.Failed<>(failure.nodeId, told(failure.error, shard, demand, reading));
      }
      failure.patience = Duration.ZERO;
      long left = demand.isNone() ? PAUSE.toMillis() : reading.leftMillis();
      cluster.awaitVersion(seen.version() + 1, Duration.ofMillis(Math.min(PAUSE.toMillis(), left)));
      seen = cluster.state();
      Optional<ShardRouting> now = seen.shard(shard.shard());
      if (now.isEmpty()) {
        return new Outcome.Failed<>(failure.nodeId, failure.error);
      }
      routing = now.get();
    }
  }

  /** Null when all may be asked again. */
  private <T> @Nullable Outcome<T> once(
      ClusterState state,
      ShardRouting routing,
      Way way,
      Reading reading,
      Asking<T> asking,
      Failure failure)
      throws InterruptedException {
    List<CopyAddress> started = CopyAddress.started(state, routing);
    ReadDemand demand = reading.demand(routing.shard());
    Spares spares = new Spares(attempts(state, routing, way, reading, started), failure::add);
    ReadCourse.Attempt attempt;
    while ((attempt = spares.next()) != null) {
      CopyAddress copy = attempt.copy();
      try {
        if (attempt.nudge()) {
          nudge(started, reading);
        }
        ReadDemand waiting = demand.waiting(waitMillis(attempt, demand, reading));
        Reply<T> reply = asking.ask(copy, spares, waiting);
        return new Outcome.Answered<>(reply.copy(), reply.answer());
      } catch (ApiException e) {
        failure.add(copy, e.error());
        if (way.isFinal().test(e.error())) {
          return new Outcome.Failed<>(copy.node().nodeId(), e.error());
        }
      } catch (UnreachableException e) {
        failure.add(copy, ErrorBody.of(503, "connect_transport_exception", e.toString()));
      }
      if (!demand.isNone()) {
        meters.rerouted();
      }
    }
    return null;
  }

  /** Copies that answer though they are still being built come last: they are slow. */
  private List<ReadCourse.Attempt> attempts(
      ClusterState state,
      ShardRouting routing,
      Way way,
      Reading reading,
      List<CopyAddress> started) {
    ReadDemand demand = reading.demand(routing.shard());
    List<ReadCourse.Attempt> attempts = new ArrayList<>();
    for (List<CopyAddress> copies :
        List.of(
            started,
            CopyAddress.building(state, routing, CopyProgress.OPENED, cluster::progress))) {
      attempts.addAll(
          ReadCourse.of(way.order().apply(copies), demand, known::of, reading.replicaWaitMillis()));
    }
    return attempts;
  }

  private static long waitMillis(ReadCourse.Attempt attempt, ReadDemand demand, Reading reading) {
    if (demand.isNone()) {
      return 0;
    }
    long left = reading.leftMillis();
    long share = Math.min(left, Math.max(SHORTEST_WAIT_MILLIS, left / 2));
    return Math.min(attempt.mostMillis(), share);
  }

  /** Only what the primary has published can be shown by a copy that is given its segments. */
  private void nudge(List<CopyAddress> started, Reading reading) throws InterruptedException {
    if (started.isEmpty() || !started.getFirst().copy().primary()) {
      return;
    }
    try {
      client.refresh(started.getFirst(), Duration.ofMillis(Math.max(1, reading.leftMillis() / 2)));
    } catch (ApiException | UnreachableException e) {
      LOG.debug("{} was not refreshed for a read", started.getFirst().shard(), e);
    }
  }

  /** In the words of the request: what it wanted, what there is, how long it waited. */
  private ErrorBody told(ErrorBody error, ShardRouting shard, ReadDemand demand, Reading reading) {
    if (demand.isNone() || !Failure.isTimeout(error)) {
      return error;
    }
    meters.broken();
    long wanted = demand.seqNo();
    Object shown = error.fields().getOrDefault("visible_seq_no", -1);
    String index =
        cluster.state().index(shard.shard().indexUuid()).map(i -> i.name()).orElse("_na_");
    String want =
        wanted >= 0 && (!(shown instanceof Number number) || number.longValue() < wanted)
            ? "seq_no " + wanted
            : demand.maxStalenessMillis() == 0
                ? "all that is in the log"
                : "all that is older than " + demand.maxStalenessMillis() + " ms";
    ErrorBody told =
        ErrorBody.of(
                504,
                ReadDemand.TIMEOUT_TYPE,
                "no copy of ["
                    + index
                    + "]["
                    + shard.shard().number()
                    + "] showed "
                    + want
                    + " within "
                    + reading.timeoutMillis()
                    + " ms; the last one asked shows up to seq_no "
                    + shown)
            .with("index", index)
            .with("shard", Integer.toString(shard.shard().number()))
            .with("index_uuid", shard.shard().indexUuid())
            .with("visible_seq_no", shown);
    return wanted >= 0 ? told.with("wanted_seq_no", wanted) : told;
  }
}
