package io.varve.testkit.sim;

import io.varve.engine.version.DocumentState;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.host.ContinuedLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.shard.retention.LogNeeds;
import io.varve.store.CopySchedule;
import io.varve.store.ExponentialBackOff;
import io.varve.store.RoundFailures;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A SEGMENT replica: follows the manifests with {@link SimManifestFeed}, copies the newest one with
 * {@link SegmentTransfer}, and repeats until it shows the newest. Production's {@link CopySchedule}
 * decides when to copy what, and {@link ReplicaStart} when it is reported as started and answers
 * reads.
 *
 * <p>A new copy may be opened before it is copied: it then shows the newest manifest from its
 * publisher's files but is not started. It is reported as started when it shows what other copies
 * show, or earlier if no other copy serves.
 */
final class SegmentReplicaActor implements SimCopy {

  static final int SLOW_MICROS = 600_000;

  private final World world;
  private final SimNode node;
  private final ShardId shard;
  private final String copyId;
  private final SimDisk disk;
  private final long incarnation;
  private boolean closed;
  private final CopySchedule schedule;
  private final RoundFailures failures = new RoundFailures();
  private final ReplicaStart start = new ReplicaStart(this);
  private final SegmentTransfer transfer;
  private final SimManifestFeed feed;
  private final SimHeldContent content;
  private boolean started;
  private @Nullable Manifest opened;
  private @Nullable Manifest newest;
  private Map<String, Operation> visible = Map.of();
  private long visibleSeqNo = -1;
  private final OffsetWatcher held = new OffsetWatcher(-1);

  SegmentReplicaActor(World world, SimNode node, ShardId shard, String copyId, SimDisk disk) {
    this.world = world;
    this.node = node;
    this.shard = shard;
    this.copyId = copyId;
    this.disk = disk;
    this.incarnation = node.process().incarnation();
    this.schedule = new CopySchedule(new ExponentialBackOff(20, 200, world.random()::nextDouble));
    this.transfer = new SegmentTransfer(this, world, schedule);
    this.feed = new SimManifestFeed(world, node, shard, this::seen);
    this.content = new SimHeldContent(world, this);
  }

  void start() {
    PartitionLog log = world.open(World.ops(shard), node.process(), "r-" + node.process());
    start(log, new ContinuedLog(log, feed.manifests()));
  }

  private void start(PartitionLog log, ContinuedLog continued) {
    SimDisk.Commit commit = disk.commit;
    Manifest kept;
    Manifest published;
    try {
      AppliedPosition shown = commit == null ? AppliedPosition.START : commit.checkpoint();
      if (LogLossCheck.isLost(world, log, feed.manifests(), shown)) {
        if (continued.isContinued()) {
          node.reportFailed(shard, copyId);
        }
        after(LogLossCheck.RETRY_MICROS, () -> start(log, continued));
        return;
      }
      kept = LogLossCheck.kept(disk, log);
      published = feed.readToTheEnd();
    } catch (LogException e) {
      after(50_000, () -> start(log, continued));
      return;
    }
    if (kept != null) {
      schedule.achieved(kept);
      visible = Segment.fold(disk.segments(kept.files()));
      visibleSeqNo = kept.visibleSeqNo();
      held.advanceTo(visibleSeqNo);
      world.observe(new Observation.Shown(this));
    }
    if (published != null) {
      seen(published);
    }
    feed.follow();
    if (kept != null) {
      start.whenRead(this::startIfNewest);
    }
  }

  private void startIfNewest() {
    Manifest shown = schedule.achieved();
    boolean showsNewest =
        shown != null && opened == null && (newest == null || !newest.isNewerThan(shown));
    if (showsNewest && !started) {
      started = true;
      start.whenReady(world.clients().reportedSeqNo(shard));
    }
  }

  boolean noOtherCopyServes() {
    return node.state()
        .shard(shard)
        .filter(routing -> node.state().othersServe(routing, copyId))
        .isEmpty();
  }

  private void seen(Manifest manifest) {
    boolean isNew = schedule.seen(manifest);
    if (isNew) {
      newest = manifest;
      if (opened != null) {
        after(world.random().nextInt(SLOW_MICROS / 4), () -> open(manifest));
      }
    }
    if (world.mutated(Mutation.INSTALL_OLDER_MANIFESTS) && !isNew && !transfer.isRunning()) {
      transfer.begin(manifest);
      return;
    }
    if (!isNew || !transfer.yieldedTo(manifest)) {
      next();
    }
  }

  /** Does what the schedule requires, unless a transfer is running. */
  private void next() {
    if (transfer.isRunning() || closed) {
      return;
    }
    switch (schedule.next(world.queue().nowMillis())) {
      case CopySchedule.Step.Idle idle -> {}
      case CopySchedule.Step.Begin begin -> transfer.begin(begin.target());
      case CopySchedule.Step.WaitUntil wait ->
          after((wait.millis() - world.queue().nowMillis()) * 1000 + 500, this::next);
    }
  }

  /** Whether others can read this manifest's files here. */
  boolean shows(Manifest manifest) {
    Manifest shown = schedule.achieved();
    return alive() && shown != null && !shown.isNewerThan(manifest) && !manifest.isNewerThan(shown);
  }

  /** A file of a manifest, if this copy shows the manifest. */
  Optional<Segment> file(Manifest manifest, String name) {
    return shows(manifest) ? Optional.ofNullable(disk.files.get(name)) : Optional.empty();
  }

  /** Shows this manifest from its publisher's files, unless the copy is started by then. */
  void open(Manifest manifest) {
    SimNode publisher = world.node(manifest.nodeId());
    world
        .network()
        .<List<Segment>>call(
            node.process(),
            publisher.process(),
            reply -> reply.accept(SegmentTransfer.published(publisher, shard, manifest)),
            segments -> opened(manifest, segments),
            () -> {});
  }

  private void opened(Manifest manifest, List<Segment> segments) {
    Manifest shown = opened == null ? schedule.achieved() : opened;
    boolean all = segments.stream().map(Segment::identity).toList().equals(manifest.files());
    if (closed || started || !all || (shown != null && !manifest.isNewerThan(shown))) {
      return;
    }
    opened = manifest;
    visible = Segment.fold(segments);
    visibleSeqNo = manifest.visibleSeqNo();
    held.advanceTo(visibleSeqNo);
    world.observe(new Observation.Shown(this));
    if (world.mutated(Mutation.ANNOUNCE_WHAT_IS_ONLY_OPENED)) {
      announce(-1);
    }
  }

  /** Whether it answers reads although it is not started. */
  boolean isOpened() {
    return alive() && opened != null && !started;
  }

  /** Whether it shows everything that was published before this offset of the manifests' log. */
  boolean shows(long manifestsEnd) {
    return feed.nextOffset() >= manifestsEnd
        && (newest == null || visibleSeqNo >= newest.visibleSeqNo());
  }

  long manifestsEnd() throws LogException.Unavailable {
    return feed.manifests().endOffset();
  }

  /** The seq_no that the newest manifest known here shows; -1 if none is known. */
  long newestSeqNo() {
    return newest == null ? -1 : newest.visibleSeqNo();
  }

  long manifestsRead() {
    return feed.nextOffset();
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether it neither is started nor shows anything. */
  boolean isEmpty() {
    return !started && opened == null;
  }

  /** Shows a manifest whose files are all here, unless it shows a newer one from its publisher. */
  void switchTo(Manifest target) {
    if (opened == null || !opened.isNewerThan(target)) {
      opened = null;
      visible = Segment.fold(disk.segments(target.files()));
      visibleSeqNo = target.visibleSeqNo();
      held.advanceTo(visibleSeqNo);
    }
    disk.installed(target);
    disk.files.keySet().retainAll(target.files().stream().map(SegmentFile::name).toList());
  }

  /** A transfer ended with an installed manifest. */
  void installed() {
    failures.installed();
    startIfNewest();
    next();
  }

  /**
   * A transfer failed; production's {@link RoundFailures} decides whether the copy starts although
   * it lags.
   */
  void transferFailed(CopySchedule.Failure failure, Manifest target) {
    boolean newerIsKnown = newest != null && newest.isNewerThan(target);
    switch (failures.after(failure, newerIsKnown, asItIs())) {
      case START_BEHIND -> {
        started = true;
        start.behind();
        announce(noOtherCopyServes() ? -1 : world.clients().reportedSeqNo(shard));
      }
      case KEEP_COMMIT -> keepCommit();
      case RETRY -> {}
      // Reopening drops damaged files, and the files of a simulated disk are never damaged.
      case REOPEN -> {}
    }
    next();
  }

  /** Production also reopens the copy. */
  private void keepCommit() {
    Manifest committed = Objects.requireNonNull(content.committed());
    world.note(this + " continues from the last commit of a primary");
    schedule.achieved(committed);
    switchTo(committed);
    world.observe(new Observation.Shown(this));
  }

  private RoundFailures.Copy asItIs() {
    return new RoundFailures.Copy(
        started,
        content.held(schedule.achieved()),
        opened != null,
        noOtherCopyServes() || world.mutated(Mutation.START_WITHOUT_A_SOURCE));
  }

  /** Reports it as started; {@code reportedSeqNo} was reported to clients as visible. */
  void announce(long reportedSeqNo) {
    Manifest shown = Objects.requireNonNull(opened == null ? schedule.achieved() : opened);
    world.observe(new Observation.SaysStarted(this, shown, disk, reportedSeqNo));
    node.announceStarted(this, shown.term());
  }

  @Override
  public void whenReadyAgain(Runnable report) {
    start.again(world);
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
    Operation shown = visible.get(id);
    return shown == null ? null : SimEngine.state(shown);
  }

  @Override
  public long heldTerm() {
    Manifest shown = opened == null ? schedule.achieved() : opened;
    return shown == null ? 0 : shown.term();
  }

  @Override
  public long readSeqNo() {
    return newest == null ? held.current() : newest.visibleSeqNo();
  }

  @Override
  public boolean answersReads() {
    return start.answersReads();
  }

  @Override
  public boolean saysStarted() {
    return started || world.mutated(Mutation.START_WITHOUT_AN_ADMISSION);
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
  public SimDisk disk() {
    return disk;
  }

  /** A folder that a primary left does not count, because an older manifest may replace it. */
  @Override
  public long durableOffset() {
    Manifest installed = schedule.achieved();
    return installed == null ? LogNeeds.UNKNOWN : installed.nextOffset();
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "SEGMENT replica " + copyId + " on " + node.process();
  }
}
