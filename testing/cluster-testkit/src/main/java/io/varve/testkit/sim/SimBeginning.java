package io.varve.testkit.sim;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.host.apply.Origins;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.LogOperations;
import io.varve.log.PartitionLog;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.primary.BeginningState;
import io.varve.shard.primary.BegunLog;
import io.varve.store.CopyRound;
import io.varve.store.LocalFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The start of an empty primary of a follower: production's {@link BeginningState} and {@link
 * CopyRound}, in the order of production's {@code LeaderBeginning}. The files come from the
 * leader's segment store or from the node that published the manifest.
 */
final class SimBeginning {

  private static final long RETRY_MICROS = 50_000;
  private static final int SLOW_START_MICROS = 500_000;

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog log;
  private final PartitionLog manifests;
  private final BeginningState state = new BeginningState();
  private Runnable then = () -> {};

  SimBeginning(PrimaryActor primary, PartitionLog log, PartitionLog manifests) {
    this.world = primary.world;
    this.primary = primary;
    this.log = log;
    this.manifests = manifests;
  }

  BootstrapWire.Status status() {
    return state.status();
  }

  /** Runs {@code begun} when the folder can be opened. */
  void start(Runnable begun) {
    then = begun;
    try {
      discardContradicted();
      if (!hasNothing()) {
        begun.run();
        return;
      }
    } catch (LogException e) {
      primary.after(RETRY_MICROS, () -> start(begun));
      return;
    }
    follow()
        .flatMap(FollowRelation::failback)
        .ifPresentOrElse(
            failback -> new SimFailback(primary, failback, begun, this::awaitPlan).start(),
            this::awaitPlan);
  }

  private void awaitPlan() {
    world.note(primary + " awaits a plan");
    state.awaits("", mustCopy());
  }

  /** Whether the index replaces one that has content. */
  private boolean mustCopy() {
    return follow().flatMap(FollowRelation::replaces).isPresent();
  }

  private Optional<FollowRelation> follow() {
    return primary.node.state().index(primary.shard.indexUuid()).map(IndexMetadata::follow);
  }

  private void discardContradicted() throws LogException {
    SimDisk.Commit held = primary.disk.commit;
    if (World.isFollower(primary.shard)
        && held != null
        && held.checkpoint().nextOffset() == 0
        && decide(held, log.endOffset()) == BegunLog.Outcome.DISCARD) {
      world.note(primary + " discards its segments");
      primary.empty();
    }
  }

  private BegunLog.Outcome decide(SimDisk.Commit held, long endOffset) throws LogException {
    BegunLog.Outcome outcome =
        BegunLog.decide(
            log,
            held.checkpoint().nextOffset(),
            held.checkpoint().nextSeqNo(),
            endOffset,
            held.checkpoint().nextOffset() == 0 && isPublished());
    return outcome == BegunLog.Outcome.DISCARD && world.mutated(Mutation.KEEP_A_CONTRADICTED_COPY)
        ? BegunLog.Outcome.KEEP
        : outcome;
  }

  private boolean hasNothing() throws LogException {
    return World.isFollower(primary.shard)
        && primary.disk.commit == null
        && log.startOffset() == 0
        && LogOperations.first(log).isEmpty()
        && !isPublished();
  }

  private boolean isPublished() throws LogException {
    return new ManifestLog(manifests).before(manifests.endOffset(), true).published() != null;
  }

  /** A puller sends a plan. */
  BootstrapWire.Status plan(long assignment, BootstrapWire.Plan plan) {
    if (primary.followed().admits(assignment) && state.plan(plan)) {
      primary.after(0, this::carryOut);
    }
    return state.status();
  }

  private void carryOut() {
    BootstrapWire.Plan plan = state.next();
    if (plan == null) {
      return;
    }
    world.observe(new Observation.Planned(primary, plan));
    Manifest manifest = plan.manifest();
    if (manifest == null) {
      begin("the leader's log");
    } else {
      copy(plan, manifest);
    }
  }

  private void begin(String with) {
    world.note(primary + " begins with " + with);
    state.begun();
    // Opening takes long on some nodes, and nothing is pulled before it has ended.
    boolean slow = world.random().nextBoolean();
    primary.after(slow ? world.random().nextInt(SLOW_START_MICROS) : 0, then);
  }

  private void copy(BootstrapWire.Plan plan, Manifest leaders) {
    state.copying(leaders, leaders.totalBytes());
    CopyRound round = new CopyRound(leaders);
    List<SegmentFile> local = primary.disk.files.values().stream().map(Segment::identity).toList();
    var _ = round.planned(new LocalFiles(local, Map.of()));
    lease(round, plan);
  }

  /** The leader's node keeps the files of a leased snapshot. */
  private void lease(CopyRound round, BootstrapWire.Plan plan) {
    Manifest leaders = round.target();
    SimNode publisher = world.node(leaders.nodeId());
    world
        .network()
        .<Boolean>call(
            primary.node.process(),
            publisher.process(),
            reply ->
                reply.accept(
                    publisher
                        .primary(leaders.shard())
                        .flatMap(opened ->
                            opened.publisher().lease(leaders.generation(), primary.copyId))
                        .isPresent()),
            _ -> fetch(round, plan),
            () -> fetch(round, plan));
  }

  private void fetch(CopyRound round, BootstrapWire.Plan plan) {
    if (primary.closed) {
      return;
    }
    if (round.state() == CopyRound.State.INSTALLING) {
      install(round, plan);
      return;
    }
    SegmentFile file = round.takeNext().orElseThrow().file();
    Optional<Segment> stored = stored(round.target(), file);
    if (stored.isPresent()) {
      primary.after(world.network().latencyMicros(), () -> arrived(round, plan, file, stored));
      return;
    }
    SimNode publisher = world.node(round.target().nodeId());
    world
        .network()
        .<Optional<Segment>>call(
            primary.node.process(),
            publisher.process(),
            reply ->
                reply.accept(
                    SegmentTransfer.published(
                        publisher, round.target().shard(), round.target(), file.name())),
            answer -> arrived(round, plan, file, answer),
            () -> failed("the leader's node did not answer"));
  }

  private Optional<Segment> stored(Manifest leaders, SegmentFile file) {
    return world.indices().hasStore(leaders.shard()) && !world.faults().storeFails()
        ? Optional.ofNullable(world.store().segment(leaders.shard(), file.name()))
            .filter(segment -> segment.identity().sameContent(file))
        : Optional.empty();
  }

  private void arrived(
      CopyRound round, BootstrapWire.Plan plan, SegmentFile file, Optional<Segment> answer) {
    if (primary.closed) {
      return;
    }
    if (answer.isEmpty()) {
      failed("the leader's snapshot is gone");
      return;
    }
    Segment segment = world.faults().answerIsTruncated() ? answer.get().truncated() : answer.get();
    if (!segment.identity().sameContent(file)) {
      failed("a file arrived broken");
      return;
    }
    primary.disk.files.put(file.name(), segment);
    round.arrived(file);
    state.copying(round.target(), round.missingBytes());
    fetch(round, plan);
  }

  private void failed(String reason) {
    if (!primary.closed) {
      world.note(primary + " awaits another plan: " + reason);
      state.awaits(reason, mustCopy());
    }
  }

  private void install(CopyRound round, BootstrapWire.Plan plan) {
    Manifest leaders = round.target();
    Manifest own = Origins.beginning(primary.shard, leaders, plan.originDigest());
    primary.rebuild(
        new RestoredFolder(
            new AppliedPosition(own.nextOffset(), own.nextSeqNo(), own.fenceTerm()),
            primary.disk.segments(own.files()).stream().map(Segment::withoutOrigins).toList(),
            own.commitData()));
    round.installed();
    begin("generation " + leaders.generation() + " of its leader, up to " + leaders.nextSeqNo());
  }

  /**
   * The log may lack the first operations: then it is truncated, as in production. False if the log
   * contradicts the folder.
   */
  boolean truncateLog(long fenceOffset) throws LogException {
    SimDisk.Commit commit = primary.disk.commit;
    if (commit == null || Origins.ofCommit(commit.data()) == null) {
      return true;
    }
    BegunLog.Outcome outcome = decide(commit, fenceOffset);
    if (outcome == BegunLog.Outcome.TRUNCATE) {
      primary.engine.flush();
      primary.commit(primary.checkpoint());
      log.truncateBefore(primary.disk.committedOffset());
      String base =
          commit.data().getOrDefault(SimFailback.BASE, world.leaderOf(primary.shard).indexUuid());
      world.logs().beginsWith(new ShardId(base, 0), primary.shard, primary.checkpoint());
    }
    return outcome != BegunLog.Outcome.DISCARD;
  }
}
