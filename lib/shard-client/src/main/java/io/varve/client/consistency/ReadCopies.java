package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.client.NotServing;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.consistency.PromisedReads.Asking;
import io.varve.client.consistency.PromisedReads.Options;
import io.varve.client.consistency.PromisedReads.Outcome;
import io.varve.client.consistency.PromisedReads.Reply;
import io.varve.client.consistency.PromisedReads.Waiting;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import io.varve.process.Deadline;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One read of one shard, over the rounds in which its copies are asked. {@link PromisedReads}
 * defines their order and when the read ends. Used by one thread.
 */
final class ReadCopies<T> {

  private static final Logger LOG = LoggerFactory.getLogger(ReadCopies.class);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final long SHORTEST_WAIT_MILLIS = 20;

  private final Around around;
  private final Options options;
  private Reading reading;
  private final Asking<T> asking;
  private final ReadDemand demand;
  private final ReadFailures failures = new ReadFailures();
  private boolean isFirst = true;
  private ClusterState state;
  private ShardRouting routing;

  /** Objects that all reads of a coordinator share. */
  record Around(
      ClusterStateSource cluster,
      ShardClient client,
      KnownSeqNos known,
      PromiseMeters meters,
      RefusingCopies refusing) {}

  /**
   * @param state the cluster state of the request
   */
  ReadCopies(
      Around around,
      ClusterState state,
      ShardRouting shard,
      Options options,
      Reading reading,
      Asking<T> asking) {
    this.around = around;
    this.state = state;
    this.routing = shard;
    this.options = options;
    this.reading = reading;
    this.asking = asking;
    this.demand = reading.demand(shard.shard());
  }

  Outcome<T> run() throws InterruptedException {
    while (true) {
      Outcome<T> outcome = round();
      if (outcome != null) {
        return outcome;
      }
      long left = waits() ? leftMillis() : 0;
      if (left == 0) {
        return new Outcome.Failed<>(failures.nodeId(), told());
      }
      failures.nextRound();
      // Without other copies, only a change of the shard helps: its primary starts or is replaced.
      boolean others = !CopyAddress.started(state, routing).isEmpty() || !building().isEmpty();
      awaitChange(Duration.ofMillis(others ? Math.min(PAUSE.toMillis(), left) : left));
      Optional<ShardRouting> now = state.shard(routing.shard());
      if (now.isEmpty()) {
        return new Outcome.Failed<>(failures.nodeId(), failures.told(state, routing));
      }
      routing = now.get();
    }
  }

  private boolean waits() {
    return options.waiting() instanceof Waiting.ForPrimary
        || !demand.isNone()
        || failures.areWorthAWait();
  }

  private long leftMillis() {
    long left = reading.leftMillis();
    return options.waiting() instanceof Waiting.ForSearch(var request)
        ? Math.min(left, request.getAsLong())
        : left;
  }

  /**
   * Only a change of this shard is a reason to ask again: while a node fails, many other shards
   * also change.
   */
  private void awaitChange(Duration most) throws InterruptedException {
    Deadline pause = around.cluster().deadline(most);
    boolean changed = false;
    while (!changed && around.cluster().awaitVersion(state.version() + 1, pause.left())) {
      state = around.cluster().state();
      changed = !state.shard(routing.shard()).equals(Optional.of(routing));
    }
  }

  /** Null when all copies may be asked again. */
  private @Nullable Outcome<T> round() throws InterruptedException {
    List<CopyAddress> started = CopyAddress.started(state, routing);
    Outcome<T> outcome = ask(attempts(started), demand, started);
    if (outcome != null) {
      return outcome;
    }
    if (isFirst && demand.isNone()) {
      // The call to the hanging primary was not limited by the read's time, so it is not counted.
      reading = reading.again();
    }
    isFirst = false;
    List<ReadSchedule.Attempt> substitutes = new ArrayList<>();
    for (CopyAddress copy : options.substitutes().apply(started)) {
      substitutes.add(ReadSchedule.Attempt.substitute(copy, reading.replicaWaitMillis()));
    }
    return ask(substitutes, demand.ofAll(), started);
  }

  private @Nullable Outcome<T> ask(
      List<ReadSchedule.Attempt> attempts, ReadDemand demanded, List<CopyAddress> started)
      throws InterruptedException {
    ReserveCopies spares = new ReserveCopies(around.refusing().last(attempts), this::failed);
    ReadSchedule.Attempt attempt;
    while ((attempt = spares.next()) != null) {
      CopyAddress copy = attempt.copy();
      try {
        if (attempt.nudge()) {
          nudge(started);
        }
        Reply<T> reply = asking.ask(copy, spares, demanded.waiting(waitMillis(attempt, demanded)));
        around.refusing().answered(reply.copy());
        return new Outcome.Answered<>(reply.copy(), reply.answer());
      } catch (ApiException e) {
        failed(copy, e.error());
        if (options.isFinal().test(e.error())) {
          return new Outcome.Failed<>(copy.node().nodeId(), e.error());
        }
      } catch (UnreachableException e) {
        failed(copy, ErrorBody.of(503, ReadFailures.UNREACHABLE, e.toString()));
      }
      if (!demand.isNone()) {
        around.meters().rerouted();
      }
    }
    return null;
  }

  private void failed(CopyAddress copy, ErrorBody error) {
    if (NotServing.is(error)) {
      around.refusing().refused(copy);
    }
    failures.add(copy, error);
  }

  private List<CopyAddress> building() {
    return CopyAddress.building(state, routing, CopyProgress.OPENED, around.cluster()::progress);
  }

  /**
   * Copies that answer while they are recovering come after the started ones, because they are
   * slow. A primary that is being promoted comes last, because it shows only its last view as a
   * replica.
   */
  private List<ReadSchedule.Attempt> attempts(List<CopyAddress> started) {
    long replicaWaitMillis = demand.isNone() ? 0 : reading.replicaWaitMillis();
    List<CopyAddress> takingOver =
        options.waiting() instanceof Waiting.ForSearch
            ? CopyAddress.takingOver(state, routing)
            : List.of();
    List<ReadSchedule.Attempt> attempts = new ArrayList<>();
    for (List<CopyAddress> copies : List.of(started, building(), takingOver)) {
      attempts.addAll(
          ReadSchedule.of(
              options.order().apply(copies), demand, around.known()::of, replicaWaitMillis));
    }
    return attempts;
  }

  private long waitMillis(ReadSchedule.Attempt attempt, ReadDemand demanded) {
    if (demanded.isNone()) {
      return 0;
    }
    long left = reading.leftMillis();
    long share = Math.min(left, Math.max(SHORTEST_WAIT_MILLIS, left / 2));
    return Math.min(attempt.mostMillis(), share);
  }

  /**
   * Refreshes the primary first: a SEGMENT replica can only show what the primary has published.
   */
  private void nudge(List<CopyAddress> started) throws InterruptedException {
    if (started.isEmpty() || !started.getFirst().copy().primary()) {
      return;
    }
    Duration timeout = Duration.ofMillis(Math.max(1, reading.leftMillis() / 2));
    try {
      around.client().refresh(started.getFirst(), timeout);
    } catch (ApiException | UnreachableException e) {
      LOG.debug("{} could not be refreshed for a read", started.getFirst().shard(), e);
    }
  }

  /**
   * The error in terms of the request: its demand, what the copies show, and how long it waited.
   */
  private ErrorBody told() {
    ErrorBody error = failures.told(state, routing);
    if (demand.isNone() || !ReadFailures.isTimeout(error)) {
      return error;
    }
    around.meters().broken();
    long wanted = demand.seqNo();
    Object shown = error.fields().getOrDefault("visible_seq_no", -1);
    String index =
        around
            .cluster()
            .state()
            .index(routing.shard().indexUuid())
            .map(i -> i.name())
            .orElse("_na_");
    String number = Integer.toString(routing.shard().number());
    String want =
        wanted >= 0 && (!(shown instanceof Number seqNo) || seqNo.longValue() < wanted)
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
                    + number
                    + "] showed "
                    + want
                    + " within "
                    + reading.timeoutMillis()
                    + " ms; the last one asked shows up to seq_no "
                    + shown)
            .with("index", index)
            .with("shard", number)
            .with("index_uuid", routing.shard().indexUuid())
            .with("visible_seq_no", shown);
    return wanted >= 0 ? told.with("wanted_seq_no", wanted) : told;
  }
}
