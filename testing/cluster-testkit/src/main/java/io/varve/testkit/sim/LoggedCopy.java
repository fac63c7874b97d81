package io.varve.testkit.sim;

import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.apply.Origins;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import io.varve.shard.retention.LogNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A copy that indexes operations itself: a primary or a DOCUMENT replica. Operations are applied in
 * production's lanes, which run late and in any order. A refresh captures its position in the log
 * and flushes afterwards.
 */
abstract class LoggedCopy implements SimCopy {

  private static final int LANES = 3;
  private static final int LANE_MICROS = 2_000;
  private static final int REFRESHES_PER_COMMIT = 3;

  final World world;
  final SimNode node;
  final ShardId shard;
  final String copyId;
  final SimDisk disk;
  private final String name;
  final SimMapping mapping;
  final ApplyLanes lanes;
  private final TakenOperations taken = new TakenOperations(this);
  SimEngine engine;
  AppliedCheckpoint applied;

  /** The origins of the operations of a follower. */
  Origins origins;

  private OffsetWatcher held = new OffsetWatcher(-1);
  private final Map<Long, Long> termBySeqNo = new HashMap<>();
  private long checkpointTerm;
  boolean closed;
  private final long incarnation;
  private final List<Runnable> afterRefresh = new ArrayList<>();
  private boolean refreshing;
  private int refreshes;
  private Map<String, Operation> visible = Map.of();
  private long visibleSeqNo = -1;

  LoggedCopy(World world, SimNode node, ShardId shard, String copyId, SimDisk disk, String name) {
    this.world = world;
    this.node = node;
    this.shard = shard;
    this.copyId = copyId;
    this.disk = disk;
    this.incarnation = node.process().incarnation();
    this.mapping = new SimMapping(node, shard);
    this.lanes =
        new ApplyLanes(
            LANES, task -> node.process().after(world.random().nextInt(LANE_MICROS), task));
    this.name = name;
    this.engine = new SimEngine(world, disk, name, mapping);
    this.applied = startAt(engine.committed());
    this.origins = committedOrigins();
  }

  private Origins committedOrigins() {
    return Origins.ofCommit(engine.committedData(), engine.committed().lastSeqNo());
  }

  /**
   * In histories mutated by {@link Mutation#BEGIN_WHERE_THE_LOG_BEGINS}: begins at the start of the
   * log although this copy lacks operations before it. Returns whether it did.
   */
  boolean beginCarelesslyAt(long startOffset) {
    boolean careless = world.mutated(Mutation.BEGIN_WHERE_THE_LOG_BEGINS);
    if (careless) {
      AcceptedLog acceptedLog = world.logs().acceptedLog(shard);
      appliedTo(
          new AppliedPosition(
              startOffset,
              acceptedLog.nextSeqNoBefore(startOffset),
              acceptedLog.termBefore(startOffset)));
    }
    return careless;
  }

  /** Replaces the content of the folder. */
  void rebuild(RestoredFolder base) {
    disk.files.clear();
    base.segments().forEach(segment -> disk.files.put(segment.identity().name(), segment));
    disk.commit =
        new SimDisk.Commit(
            base.checkpoint(),
            base.segments().stream().map(segment -> segment.identity().name()).toList(),
            base.data());
    engine = new SimEngine(world, disk, name, mapping);
    // After a revival the copy holds less than before.
    held = new OffsetWatcher(-1);
    applied = startAt(base.checkpoint());
    origins = committedOrigins();
    world.note(this + " is rebuilt from " + base.checkpoint());
  }

  /** Deletes the content of the folder. */
  void empty() {
    rebuild(new RestoredFolder(AppliedPosition.START, List.of(), Map.of()));
    disk.commit = null;
  }

  /** Operations that the log has lost must be durable here before the copy is closed. */
  void commitIfTheLogLacksIt() {
    if (world.commitsWhatTheLogLost()
        && world.logs().partition(World.ops(shard)).lacksTail()
        && node.process().isUp()) {
      engine.flush();
      commit(checkpoint());
    }
  }

  /** Commits the files that the engine has flushed. */
  void commit(AppliedPosition position) {
    engine.commit(position, commitData(position));
  }

  /** The user data of a commit at that position; positions must not decrease. */
  Map<String, String> commitData(AppliedPosition position) {
    Map<String, String> data = new HashMap<>(engine.committedData());
    data.putAll(origins.commitData(position.lastSeqNo()));
    return data;
  }

  private AppliedCheckpoint startAt(AppliedPosition checkpoint) {
    checkpointTerm = checkpoint.fenceTerm();
    held.advanceTo(checkpoint.lastSeqNo());
    return new AppliedCheckpoint(
        checkpoint.nextOffset(), checkpoint.nextSeqNo(), LogPosition.UNKNOWN);
  }

  AppliedPosition checkpoint() {
    AppliedCheckpoint.Position position = applied.position();
    return new AppliedPosition(position.nextOffset(), position.nextSeqNo(), checkpointTerm);
  }

  /** Accepts the next operation of the log, to be applied later. */
  void take(long offset, Operation operation) {
    taken.take(offset, operation);
  }

  /** Called when a taken operation has been applied. */
  void applied(long offset, Operation operation) {
    engine.apply(offset, operation, null);
    origins.applied(operation);
    termBySeqNo.put(operation.seqNo(), operation.term());
    long before = applied.position().nextSeqNo();
    long behind = applied.applied(operation.seqNo(), offset, LogPosition.UNKNOWN).nextSeqNo();
    for (long seqNo = before; seqNo < behind; seqNo++) {
      checkpointTerm = termBySeqNo.remove(seqNo);
    }
    held.advanceTo(behind - 1);
  }

  /** Runs {@code then} once every taken operation is applied. */
  void whenApplied(Runnable then) {
    taken.whenApplied(then);
  }

  /** Called when everything before {@code place} is applied. */
  void appliedTo(AppliedPosition place) {
    applied = startAt(place);
  }

  /** Runs {@code then} after a refresh that started after this call. */
  void refresh(Runnable then) {
    afterRefresh.add(then);
    if (!refreshing) {
      beginRefresh();
    }
  }

  private void beginRefresh() {
    refreshing = true;
    List<Runnable> served = List.copyOf(afterRefresh);
    afterRefresh.clear();
    if (!refreshBegins()) {
      commitIfDue(checkpoint());
      refreshEnded(served);
      return;
    }
    if (world.mutated(Mutation.CAPTURE_AFTER_THE_FLUSH)) {
      List<SegmentFile> files = engine.flush();
      Map<String, Operation> contents = engine.fileContents();
      after(world.random().nextInt(3_000), () -> endRefresh(checkpoint(), files, contents, served));
      return;
    }
    AppliedPosition captured = checkpoint();
    after(
        world.random().nextInt(mostFlushMicros()),
        () -> {
          List<SegmentFile> files = engine.flush();
          Map<String, Operation> contents = engine.fileContents();
          after(world.random().nextInt(1_000), () -> endRefresh(captured, files, contents, served));
        });
  }

  /** A follower often copies files with operations after the position of their manifest. */
  private int mostFlushMicros() {
    return world.shape().followsTheLeader() ? 30_000 : 3_000;
  }

  private void endRefresh(
      AppliedPosition captured,
      List<SegmentFile> files,
      Map<String, Operation> contents,
      List<Runnable> served) {
    show(contents, captured.lastSeqNo());
    engine.shown(contents);
    commitIfDue(captured);
    refreshed(captured, files, () -> refreshEnded(served));
  }

  private void commitIfDue(AppliedPosition captured) {
    if (refreshes++ % REFRESHES_PER_COMMIT == 0) {
      commit(captured);
      committed();
    }
  }

  /** Called after each commit that a refresh is due for. */
  void committed() {}

  private void refreshEnded(List<Runnable> served) {
    refreshing = false;
    served.forEach(Runnable::run);
    if (!refreshing && !afterRefresh.isEmpty()) {
      beginRefresh();
    }
  }

  /** Whether a requested refresh has work to do; if so, it has begun. */
  boolean refreshBegins() {
    return true;
  }

  /** Searches see the files; {@code ended} must be run before the next refresh can begin. */
  abstract void refreshed(AppliedPosition captured, List<SegmentFile> files, Runnable ended);

  private void show(Map<String, Operation> contents, long seqNo) {
    visible = contents;
    visibleSeqNo = seqNo;
    world.observe(new Observation.Shown(this));
  }

  void after(long micros, Runnable task) {
    node.process()
        .after(
            micros,
            () -> {
              if (!closed) {
                task.run();
              }
            });
  }

  @Override
  public OffsetWatcher held() {
    return held;
  }

  @Override
  public @Nullable DocumentState heldState(String id) {
    return engine.applied(id);
  }

  @Override
  public String copyId() {
    return copyId;
  }

  @Override
  public ShardId shard() {
    return shard;
  }

  @Override
  public SimNode node() {
    return node;
  }

  @Override
  public SimDisk disk() {
    return disk;
  }

  @Override
  public long durableOffset() {
    return disk.commit == null ? LogNeeds.UNKNOWN : disk.committedOffset();
  }

  @Override
  public boolean alive() {
    return !closed && node.process().isUp() && node.process().incarnation() == incarnation;
  }

  @Override
  public long visibleSeqNo() {
    return visibleSeqNo;
  }

  @Override
  public Map<String, Operation> visible() {
    return visible;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " " + copyId + " on " + node.process();
  }
}
