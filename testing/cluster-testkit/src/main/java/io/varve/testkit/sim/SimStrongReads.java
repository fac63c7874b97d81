package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.engine.version.DocumentState;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.ReplicatedSeqNo;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import io.varve.shard.replicated.ConfirmedBases;
import io.varve.shard.replicated.ConfirmedReads;
import io.varve.shard.replicated.Confirmer;
import io.varve.shard.replicated.Member;
import io.varve.shard.replicated.ReplicationState;
import io.varve.shard.replicated.ReplicationTracker;
import io.varve.shard.replicated.TrackerContext;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a primary of a strongly consistent index: production's {@link ReplicationTracker},
 * {@link ConfirmedReads} and {@link LogEnd}, by the clock of {@link SimLoop}.
 */
final class SimStrongReads implements TrackerContext {

  /** How long production's queries wait for an answer beyond the timeout that they name. */
  private static final long GRACE_MILLIS = 2_000;

  private static final long TIMEOUT_MILLIS = 5_000;
  private static final long PUBLISH_AGAIN_MICROS = 50_000;

  private final World world;
  private final PrimaryActor primary;
  private final LogEnd logEnd;
  private final ReplicationTracker tracker;
  private final ConfirmedReads reads;
  private final ConfirmedBases bases;
  private final PartitionLog published;
  private final long base;
  private final SimJobSteps jobs;
  private long claimedUpTo = -1;

  /**
   * @param base the first seq_no that the primary assigns
   */
  SimStrongReads(PrimaryActor primary, LogEnd logEnd, long base) {
    this.world = primary.world;
    this.primary = primary;
    this.logEnd = logEnd;
    this.base = base;
    this.published =
        world.open(
            World.replicated(primary.shard),
            primary.node.process(),
            "held-" + primary.node.process());
    this.tracker =
        new ReplicationTracker(
            this, primary.shard, primary.copyId, primary.term(), base, primary.held());
    Confirmer confirmer =
        new Confirmer(
            new Confirmer.Primary(
                primary.shard,
                new Applied(),
                primary.held(),
                logEnd,
                seqNo -> {
                  if (primary.visibleSeqNo() < seqNo) {
                    primary.refresh(() -> {});
                  }
                }),
            tracker);
    this.reads = new ConfirmedReads(confirmer);
    this.bases = new ConfirmedBases(confirmer);
    this.jobs = new SimJobSteps(primary, tracker);
  }

  /** The operations that the primary has applied. */
  private final class Applied implements Confirmer.Documents {

    @Override
    public GetResult get(Wanted wanted) {
      DocumentState state = state(wanted.id());
      return state == null || state.deleted()
          ? GetResult.missing(wanted.id())
          : state.found(wanted.id(), state.source(), Map.of());
    }

    @Override
    public @Nullable DocumentState state(String id) {
      return primary.engine.applied(id);
    }
  }

  void start() {
    tracker.start();
  }

  void close() {
    tracker.close();
  }

  /** Answers with the version that was read; no answer stands for any error. */
  void get(String id, Consumer<Version> reply) {
    if (world.mutated(Mutation.READ_WITHOUT_THE_LOGS_END)) {
      confirm(id, reply);
      return;
    }
    var _ =
        logEnd
            .newest()
            .thenCompose(seqNo -> primary.held().reached(seqNo))
            .thenAccept(reached -> {
              if (reached) {
                confirm(id, reply);
              }
            });
  }

  private void confirm(String id, Consumer<Version> reply) {
    ConfirmedReads.Get get = reads.new Get(List.of(new Wanted(id, Set.of())));
    CompletableFuture<Map<Integer, ErrorBody>> ended = get.begin();
    if (world.mutated(Mutation.RETURN_WHAT_IS_NOT_REPLICATED)) {
      get.outOfTime();
      answer(get.version(0), reply);
      return;
    }
    var _ =
        ended.thenAccept(errors -> {
          if (errors.isEmpty() && primary.alive()) {
            answer(get.version(0), reply);
          }
        });
    after(TIMEOUT_MILLIS, get::outOfTime);
  }

  private void answer(Version version, Consumer<Version> reply) {
    world.observe(new Observation.CalledReplicated(primary, version));
    reply.accept(version);
  }

  /** The steps of re-replication jobs. */
  SimJobSteps jobs() {
    return jobs;
  }

  /** The first seq_no that this primary assigned. */
  long base() {
    return base;
  }

  /** Whether the version is known to be replicated. */
  boolean knows(Version version) {
    return tracker.records().state(version) == ReplicationState.REPLICATED;
  }

  /** Runs {@code then} with the errors of writes whose present version was not confirmed. */
  void awaitBases(List<WriteItem> items, Consumer<Map<Integer, ErrorBody>> then) {
    ConfirmedBases.Request request = bases.new Request(items);
    var _ =
        request
            .begin()
            .thenAccept(errors -> {
              if (primary.alive()) {
                then.accept(errors);
              }
            });
    after(TIMEOUT_MILLIS, request::outOfTime);
  }

  /** Admits a copy, or answers nothing. */
  Optional<Long> admit(Member copy) {
    Optional<Long> seqNo = tracker.admit(copy);
    claim();
    return seqNo;
  }

  /**
   * Reports to the invariants the seq_no up to which this primary treats everything as replicated.
   */
  private void claim() {
    long upTo = tracker.records().replicatedUpTo();
    if (upTo > claimedUpTo && primary.alive()) {
      claimedUpTo = upTo;
      world.observe(new Observation.CalledReplicatedUpTo(primary, upTo));
      if (world.indices().isFollowedStrongly()) {
        publish(upTo);
      }
    }
  }

  /**
   * Publishes this for followers, repeatedly, until the log has the record or there is a newer
   * value.
   */
  private void publish(long upTo) {
    if (upTo < claimedUpTo || !primary.alive()) {
      return;
    }
    ReplicatedSeqNo record = new ReplicatedSeqNo(primary.shard, primary.term(), upTo);
    try {
      published.append(
          RawRecord.keyed(record.recordKey(), Json.write(record)),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {}

            @Override
            public void unknown(String reason) {
              primary.after(PUBLISH_AGAIN_MICROS, () -> publish(upTo));
            }
          });
    } catch (LogException.Full e) {
      primary.after(PUBLISH_AGAIN_MICROS, () -> publish(upTo));
    }
  }

  @Override
  public ClusterState state() {
    return primary.node.state();
  }

  @Override
  public AutoCloseable listen(Runnable changed) {
    return primary.node.listen(() -> {
      if (primary.alive()) {
        changed.run();
        claim();
      }
    });
  }

  @Override
  public CompletableFuture<HoldsWire.Answer> ask(Member member, HoldsWire.Question question) {
    Optional<String> nodeId =
        state().shard(primary.shard).map(ShardRouting::everywhere).stream()
            .flatMap(List::stream)
            .filter(copy -> copy.copyId().equals(member.copyId()))
            .map(CopyRouting::nodeId)
            .filter(id -> id != null)
            .findFirst();
    if (nodeId.isEmpty()) {
      return CompletableFuture.failedFuture(new IOException(member + " is on no node"));
    }
    CompletableFuture<HoldsWire.Answer> answered = new CompletableFuture<>();
    SimNode asked = world.node(nodeId.get());
    world
        .network()
        .<Optional<HoldsWire.Answer>>call(
            primary.node.process(),
            asked.process(),
            reply -> asked.holds(member.copyId(), question, reply),
            answer -> end(answered, answer),
            () -> answered.completeExceptionally(new HttpTimeoutException("no answer")),
            micros(question.waitMillis() + GRACE_MILLIS));
    return answered;
  }

  private void end(
      CompletableFuture<HoldsWire.Answer> answered, Optional<HoldsWire.Answer> answer) {
    if (answer.isPresent()) {
      answered.complete(answer.get());
    } else {
      answered.completeExceptionally(new IOException("the copy is not started"));
    }
    claim();
  }

  private static long micros(long millis) {
    return millis * 1_000 / SimLoop.SPEED;
  }

  @Override
  public void after(long millis, Runnable task) {
    primary.after(
        micros(millis),
        () -> {
          task.run();
          claim();
        });
  }

  @Override
  public void execute(Runnable task) {
    primary.after(0, task);
  }

  @Override
  public long nowMillis() {
    return world.queue().nowMicros() * SimLoop.SPEED / 1_000;
  }
}
