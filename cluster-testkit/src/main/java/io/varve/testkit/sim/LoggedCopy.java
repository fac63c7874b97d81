package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.log.LogPosition;
import io.varve.node.primary.AppliedCheckpoint;
import io.varve.node.retention.LogNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A copy that indexes operations itself: a primary or a DOCUMENT replica. Operations are applied in
 * lanes, late and out of order across documents; a refresh captures its place in the log and
 * flushes afterwards.
 */
abstract class LoggedCopy implements SimCopy {

  private static final int LANES = 3;
  private static final int REFRESHES_PER_COMMIT = 3;

  final World world;
  final SimNode node;
  final ShardId shard;
  final String copyId;
  final TwinDisk disk;
  TwinEngine engine;
  private AppliedCheckpoint applied;
  private final Map<Long, Long> termBySeqNo = new HashMap<>();
  private long checkpointTerm;
  boolean closed;
  private final long incarnation;
  private final long[] laneBusyUntilMicros = new long[LANES];
  private final List<Runnable> afterRefresh = new ArrayList<>();
  private boolean refreshing;
  private int refreshes;
  private Map<String, Operation> visible = Map.of();
  private long visibleSeqNo = -1;

  LoggedCopy(World world, SimNode node, ShardId shard, String copyId, TwinDisk disk, String name) {
    this.world = world;
    this.node = node;
    this.shard = shard;
    this.copyId = copyId;
    this.disk = disk;
    this.incarnation = node.process().incarnation();
    this.engine = new TwinEngine(disk, name, !world.mutated(Mutation.APPLY_IS_NOT_IDEMPOTENT));
    this.applied = startAt(engine.committed());
  }

  /**
   * Starts over from a manifest whose files the segment store holds, or from what another copy
   * holds, if that reaches to the start of the log; false when there is neither.
   */
  boolean restore(String name, long startOffset) {
    Optional<Restored> found = fromStore().or(() -> fromPeer(startOffset));
    if (found.isEmpty()) {
      return false;
    }
    Restored base = found.get();
    disk.files.clear();
    base.segments().forEach(segment -> disk.files.put(segment.identity().name(), segment));
    disk.commit =
        new TwinDisk.Commit(
            base.checkpoint(),
            base.segments().stream().map(segment -> segment.identity().name()).toList());
    engine = new TwinEngine(disk, name, !world.mutated(Mutation.APPLY_IS_NOT_IDEMPOTENT));
    applied = startAt(base.checkpoint());
    world.note(this + " is rebuilt from " + base.checkpoint());
    return true;
  }

  private record Restored(Checkpoint checkpoint, List<Segment> segments) {}

  private Optional<Restored> fromStore() {
    Manifest newest = world.shape().remoteStore() ? world.store().newest(shard) : null;
    if (newest == null) {
      return Optional.empty();
    }
    List<Segment> segments = new ArrayList<>();
    for (SegmentFile file : newest.files()) {
      Segment segment = world.store().segment(shard, file.name());
      if (segment == null || !segment.identity().sameContent(file)) {
        return Optional.empty();
      }
      segments.add(segment);
    }
    return Optional.of(
        new Restored(
            new Checkpoint(newest.nextOffset(), newest.nextSeqNo(), newest.fenceTerm()), segments));
  }

  /** A primary, or a replica by copying, has files that others may copy. */
  private Optional<Restored> fromPeer(long startOffset) {
    for (SimNode other : world.nodes()) {
      if (other == node
          || !other.process().isUp()
          || !world.network().connected(node.nodeId(), other.nodeId())) {
        continue;
      }
      for (SimCopy copy : other.openCopies()) {
        TwinDisk.Commit held = copy.disk().commit;
        if (copy.shard().equals(shard)
            && !(copy instanceof DocumentReplicaActor)
            && held != null
            && held.checkpoint().nextOffset() >= startOffset) {
          return Optional.of(
              new Restored(
                  held.checkpoint(),
                  held.files().stream()
                      .map(name -> Objects.requireNonNull(copy.disk().files.get(name)))
                      .toList()));
        }
      }
    }
    return Optional.empty();
  }

  private AppliedCheckpoint startAt(Checkpoint checkpoint) {
    checkpointTerm = checkpoint.fenceTerm();
    return new AppliedCheckpoint(
        checkpoint.nextOffset(), checkpoint.nextSeqNo(), LogPosition.UNKNOWN);
  }

  Checkpoint checkpoint() {
    AppliedCheckpoint.Position position = applied.position();
    return new Checkpoint(position.nextOffset(), position.nextSeqNo(), checkpointTerm);
  }

  /** Takes the next accepted operation. */
  void take(long offset, Operation operation) {
    world.observe(new Observation.Taken(this, offset, operation));
    termBySeqNo.put(operation.seqNo(), operation.term());
    int lane = Math.floorMod(operation.id().hashCode(), LANES);
    long start = Math.max(laneBusyUntilMicros[lane], world.queue().nowMicros());
    laneBusyUntilMicros[lane] = start + world.random().nextInt(2_000);
    after(
        laneBusyUntilMicros[lane] - world.queue().nowMicros(),
        () -> {
          engine.apply(operation);
          long before = applied.position().nextSeqNo();
          long next = applied.applied(operation.seqNo(), offset, LogPosition.UNKNOWN).nextSeqNo();
          for (long seqNo = before; seqNo < next; seqNo++) {
            checkpointTerm = termBySeqNo.remove(seqNo);
          }
          onApplied(operation);
        });
  }

  /**
   * Passes a record that changes nothing. While operations before it are still in the lanes the
   * checkpoint stays where it is: too low is safe.
   */
  void pass(Checkpoint behind) {
    AppliedCheckpoint.Position position = applied.position();
    if (position.nextSeqNo() == behind.nextSeqNo()
        && position.nextOffset() <= behind.nextOffset()) {
      applied.skipTo(behind.nextOffset(), behind.nextSeqNo(), LogPosition.UNKNOWN);
      checkpointTerm = behind.fenceTerm();
    }
  }

  void onApplied(Operation operation) {}

  /** The buffer is about to become files. */
  void onFlush() {}

  /** Searches, and look-ups by id, see this from now on. */
  void onShown(Map<String, Operation> contents) {}

  /** Runs {@code then} after a refresh that began after this call. */
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
    if (world.mutated(Mutation.CAPTURE_AFTER_THE_FLUSH)) {
      onFlush();
      List<SegmentFile> files = engine.flush();
      Map<String, Operation> contents = engine.fileContents();
      after(world.random().nextInt(3_000), () -> endRefresh(checkpoint(), files, contents, served));
      return;
    }
    Checkpoint captured = checkpoint();
    after(
        world.random().nextInt(3_000),
        () -> {
          onFlush();
          List<SegmentFile> files = engine.flush();
          Map<String, Operation> contents = engine.fileContents();
          after(world.random().nextInt(1_000), () -> endRefresh(captured, files, contents, served));
        });
  }

  private void endRefresh(
      Checkpoint captured,
      List<SegmentFile> files,
      Map<String, Operation> contents,
      List<Runnable> served) {
    show(contents, captured.lastSeqNo());
    onShown(contents);
    if (refreshes++ % REFRESHES_PER_COMMIT == 0) {
      engine.commit(captured);
    }
    refreshing = false;
    refreshed(captured, files);
    served.forEach(Runnable::run);
    if (!afterRefresh.isEmpty()) {
      beginRefresh();
    }
  }

  abstract void refreshed(Checkpoint captured, List<SegmentFile> files);

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
  public TwinDisk disk() {
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
