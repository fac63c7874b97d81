package io.varve.testkit.sim;

import io.varve.cluster.Revival;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence.Verdict;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.shard.primary.RecoverySchedule;
import io.varve.shard.replicated.Member;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A primary of one term.
 *
 * <pre>
 *   begin     {@link SimBeginning}, if a follower's shard is empty
 *   recover   {@link SimFolderRecovery} and {@link SimRecovery}, in the order of production's
 *             {@link RecoverySchedule}
 *   open      {@link SimWrites} accepts writes, {@link SimPublisher} publishes each refresh
 * </pre>
 *
 * A primary that is fenced off, or that does not know the outcome of an append, requests a new term
 * and continues as a new object.
 */
final class PrimaryActor extends LoggedCopy {

  private static final long RETRY_MICROS = 50_000;
  private static final int RESTORES_UNTIL_REPORTED = 5;

  /** Few, so that primaries fetch files although they could replay the log. */
  private static final long MAX_REPLAYED_OPERATIONS = 10;

  private final long term;
  private final PartitionLog log;
  private final PartitionLog manifests;
  private final FencedWriter writer;
  private final SimWrites writes;
  private final SimFollowedWrites followed;
  private final SimBeginning beginning;
  private final SimPublisher publisher;
  private final SimRetention retention;
  private int failedRestores;
  private boolean announced;
  private boolean wantsTerm;
  private boolean fencedOff;
  private @Nullable SimStrongReads strong;
  private @Nullable ForkPlace fork;

  PrimaryActor(World world, SimNode node, ShardId shard, String copyId, SimDisk disk, long term) {
    super(world, node, shard, copyId, disk, filePrefix(shard) + node.process() + "t" + term);
    this.term = term;
    this.log = world.open(World.ops(shard), node.process(), "p-" + node.process() + "-" + copyId);
    this.manifests = world.open(World.manifests(shard), node.process(), "m-" + node.process());
    this.writer =
        new FencedWriter(
            CarelessLog.of(log, world),
            term,
            node.nodeId(),
            task -> after(world.network().latencyMicros(), task),
            (reason, newerTerm) -> {
              fencedOff = newerTerm > 0;
              requestTerm(reason);
            });
    this.writes = new SimWrites(this, writer, log);
    this.followed = new SimFollowedWrites(this, writes);
    this.beginning = new SimBeginning(this, log, manifests);
    this.publisher = new SimPublisher(this, manifests, this::announce);
    this.retention =
        new SimRetention(
            this, log, () -> announced && !closed && writer.isOpen(), disk::committedOffset);
  }

  /** A follower may have files of its leader, whose names it must not use. */
  private static String filePrefix(ShardId shard) {
    return shard.equals(World.FAILED_BACK) ? "b" : World.isFollower(shard) ? "f" : "p";
  }

  long term() {
    return term;
  }

  SimWrites writes() {
    return writes;
  }

  SimFollowedWrites followed() {
    return followed;
  }

  SimBeginning beginning() {
    return beginning;
  }

  SimPublisher publisher() {
    return publisher;
  }

  void start() {
    if (closed) {
      return;
    }
    Optional<Revival> revival = node.state().shard(shard).map(ShardRouting::revival);
    if (revival.filter(asked -> checkpoint().fenceTerm() < asked.term()).isPresent()) {
      new SimRevival(this, log, revival.get()).run(this::begin);
    } else {
      begin();
    }
  }

  private void begin() {
    if (!closed) {
      beginning.start(this::recover);
    }
  }

  private void recover() {
    if (closed) {
      return;
    }
    RecoverySchedule schedule =
        new RecoverySchedule(
            world.indices().hasStore(shard), asksOthers(), MAX_REPLAYED_OPERATIONS);
    try {
      if (!new SimFolderRecovery(this, log, manifests, schedule).run()) {
        new SimLostShard(this, log, manifests).recoveryFailed();
        if (++failedRestores % RESTORES_UNTIL_REPORTED == 0) {
          node.reportFailed(shard, copyId);
        }
        after(RETRY_MICROS, this::recover);
        return;
      }
    } catch (LogException.Lost e) {
      after(LogLossCheck.RETRY_MICROS, this::recover);
      return;
    } catch (LogException e) {
      after(RETRY_MICROS, this::recover);
      return;
    }
    if (world.mutated(Mutation.PUBLISH_BEFORE_THE_REPLAY)) {
      refresh(() -> {});
    }
    new SimRecovery(this, log, writer, schedule, this::open).start();
  }

  private boolean asksOthers() {
    return world.indices().isStrong(shard)
        && !world.mutated(Mutation.CONTINUE_WITHOUT_ASKING_THE_OTHERS);
  }

  private void open(SimRecovery.Reached reached) {
    long nextSeqNo = reached.fence().nextSeqNo();
    appliedTo(new AppliedPosition(reached.fenceOffset() + 1, nextSeqNo, reached.fence().term()));
    writes.begin(nextSeqNo, applied);
    followed.restore(nextSeqNo, reached.origin());
    SimStrongReads reads =
        world.indices().isStrong(shard)
            ? new SimStrongReads(this, writes.logEnd(term), nextSeqNo)
            : null;
    boolean careless =
        world.mutated(Mutation.OPEN_ALTHOUGH_THE_FENCE_LOST) && reached.fence().term() == term;
    if (!writer.open(reached.fence(), careless ? Verdict.FENCE_WON : reached.ownFence())) {
      requestTerm(writer.closedReason());
      return;
    }
    fork = followed.forkAt(nextSeqNo - 1, reached.fenceOffset());
    try {
      if (!beginning.truncateLog(reached.fenceOffset())) {
        requestTerm("another primary began its log");
        return;
      }
    } catch (LogException e) {
      requestTerm("its log can't be truncated: " + e.getMessage());
      return;
    }
    world.observe(new Observation.GateOpened(shard, term, toString()));
    if (reads != null) {
      strong = reads;
      reads.start();
    }
    awaitOperations();
  }

  /**
   * As in production, a follower shows nothing before its log has all operations of its segments.
   */
  private void awaitOperations() {
    long heldSeqNo = engine.maxSeqNo();
    if (!World.isFollower(shard)
        || writes.applied().current() >= heldSeqNo
        || world.mutated(Mutation.START_BEFORE_THE_LOG_HAS_THE_SEGMENTS)) {
      tick();
    } else if (followed.isPromoted()) {
      world.note(this + " had not pulled " + heldSeqNo + " when its index was promoted");
      writer.close("its index was promoted too early");
    } else if (writer.isOpen()) {
      world.note(this + " waits for " + heldSeqNo + ", which its segments hold");
      after(RETRY_MICROS, this::awaitOperations);
    }
  }

  /** Refreshes periodically while the gate is open, and truncates the log from time to time. */
  private void tick() {
    if (writer.isOpen()) {
      refresh(() -> {});
    }
    if (world.random().nextInt(4) == 0) {
      retention.run(publisher.publishedOffset());
    }
    after(40_000 + world.random().nextInt(60_000), this::tick);
  }

  /** Stops appending and requests a higher term. */
  void requestTerm(String reason) {
    if (closed) {
      return;
    }
    writer.close(reason);
    writes.gateClosed();
    if (!wantsTerm) {
      wantsTerm = true;
      askAgain(reason);
    }
  }

  private void askAgain(String reason) {
    node.askLeader(
        new ClusterCommand.NewTerm(
            new ClusterCalls.NewTerm(shard, copyId, node.nodeId(), term, reason)));
    after(150_000, () -> askAgain(reason));
  }

  @Override
  boolean refreshBegins() {
    return publisher.begins(checkpoint().lastSeqNo());
  }

  @Override
  void committed() {
    disk.pinned.committed(disk, engine.maxSeqNo(), SimPins.leases(node.state(), shard));
  }

  @Override
  void refreshed(AppliedPosition captured, List<SegmentFile> files, Runnable ended) {
    publisher.refreshed(captured, files, ended);
  }

  /** Only published operations: other copies can't show more. */
  @Override
  public long reportedSeqNo() {
    return Math.min(visibleSeqNo(), publisher.publishedSeqNo());
  }

  private void announce() {
    if (!announced && !closed) {
      announced = true;
      node.announceStarted(this, term);
    }
  }

  /** Answers a strong get, unless this copy does not serve. */
  void get(String id, Consumer<Version> reply) {
    SimStrongReads reads = strong;
    if (reads != null && announced && !closed && !fencedOff) {
      reads.get(id, reply);
    }
  }

  /** Takes a step of a re-replication job, unless this copy does not serve. */
  void rereplicate(
      SimJobSteps.Job job, RereplicationPosition at, Consumer<RereplicationPage> reply) {
    SimStrongReads reads = strong;
    if (reads != null && announced && !closed && !fencedOff) {
      reads.jobs().step(job, at, reply);
    }
  }

  Optional<Long> admit(Member copy) {
    SimStrongReads reads = strong;
    return reads == null || closed ? Optional.empty() : reads.admit(copy);
  }

  /**
   * The position at which the shard stops following its former leader, if its index was promoted.
   */
  @Override
  public @Nullable ForkPlace fork() {
    return node.state().index(shard.indexUuid()).filter(index -> index.awaitsFork(0)).isPresent()
        ? fork
        : null;
  }

  /** The reads of a strongly consistent index. */
  @Nullable SimStrongReads strong() {
    return strong;
  }

  @Override
  public OffsetWatcher held() {
    return writes.applied();
  }

  @Override
  public long heldTerm() {
    return term;
  }

  @Override
  public long readSeqNo() {
    return held().current();
  }

  @Override
  public boolean saysStarted() {
    return announced;
  }

  /** Whether this operation, or a newer one of the same document, is applied. */
  boolean hasApplied(String id, long seqNo) {
    Operation newest = engine.state().get(id);
    return newest != null && newest.seqNo() >= seqNo;
  }

  @Override
  public void close() {
    if (!closed) {
      commitIfTheLogLacksIt();
    }
    closed = true;
    writer.close("closed");
    writes.close();
    SimStrongReads reads = strong;
    if (reads != null) {
      reads.close();
    }
  }
}
