package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.store.BackOff;
import io.varve.store.CopyCourse;
import io.varve.store.CopyRound;
import io.varve.store.LocalFiles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replica by copying: tails manifests, takes a lease at the publisher, fetches what it lacks,
 * swaps, and goes again at once while it isn't at the newest. What to do next is production's to
 * say: {@link CopyCourse}, {@link CopyRound}, {@code CopyPlanner}.
 */
final class SegmentReplicaActor implements SimCopy {

  private static final int LANES = 2;

  private final World world;
  private final SimNode node;
  private final ShardId shard;
  private final String copyId;
  private final TwinDisk disk;
  private final long incarnation;
  private boolean closed;
  private final CopyCourse course;
  private boolean announced;
  private @Nullable CopyRound round;
  private Map<String, Operation> visible = Map.of();
  private long visibleSeqNo = -1;

  SegmentReplicaActor(World world, SimNode node, ShardId shard, String copyId, TwinDisk disk) {
    this.world = world;
    this.node = node;
    this.shard = shard;
    this.copyId = copyId;
    this.disk = disk;
    this.incarnation = node.process().incarnation();
    this.course = new CopyCourse(new BackOff(20, 200, world.random()::nextDouble));
  }

  void start() {
    PartitionLog manifests =
        world.open(World.manifests(shard), node.process(), "r-" + node.process());
    manifests.subscribe(
        0,
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            batch.forEach(SegmentReplicaActor.this::manifest);
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            throw new IllegalStateException(reason);
          }
        });
    tick();
  }

  private void tick() {
    report();
    after(80_000 + world.random().nextInt(60_000), this::tick);
  }

  private void report() {
    node.report(
        new Progress(
            copyId,
            shard,
            false,
            incarnation,
            announced,
            visibleSeqNo,
            disk.committedOffset(),
            Long.MAX_VALUE));
  }

  private void manifest(StoredRecord stored) {
    Manifest manifest = world.manifest(stored);
    boolean news = course.seen(manifest);
    if (world.mutated(Mutation.INSTALL_OLDER_MANIFESTS) && !news && round == null) {
      begin(manifest);
      return;
    }
    CopyRound running = round;
    if (news
        && running != null
        && running.state() == CopyRound.State.FETCHING
        && running.shouldYieldTo(manifest)) {
      begin(running.yieldTo(manifest));
    } else {
      next();
    }
  }

  /** Asks the course what to do, unless a round is under way. */
  private void next() {
    if (round != null || closed) {
      return;
    }
    switch (course.next(world.queue().nowMillis())) {
      case CopyCourse.Step.Idle idle -> {}
      case CopyCourse.Step.Begin begin -> begin(begin.target());
      case CopyCourse.Step.WaitUntil wait ->
          after((wait.millis() - world.queue().nowMillis()) * 1000 + 500, this::next);
    }
  }

  private void begin(Manifest target) {
    begin(new CopyRound(target));
  }

  private void begin(CopyRound mine) {
    round = mine;
    Manifest target = mine.target();
    SimNode source = world.node(target.nodeId());
    world
        .network()
        .<Boolean>call(
            node.process(),
            source.process(),
            reply ->
                reply.accept(
                    source
                        .primary(shard)
                        .flatMap(primary -> primary.lease(target.generation(), copyId))
                        .filter(manifest -> manifest.term() == target.term())
                        .isPresent()),
            leased -> {
              if (leased) {
                fetch(mine, source);
              } else {
                fromStore(mine, CopyCourse.Failure.SOURCE_GONE);
              }
            },
            () -> fromStore(mine, CopyCourse.Failure.SOURCE_UNREACHABLE));
  }

  private void fetch(CopyRound mine, SimNode source) {
    if (closed || round != mine) {
      return;
    }
    if (mine.state() == CopyRound.State.PLANNING) {
      mine.planned(local());
    }
    if (mine.state() == CopyRound.State.INSTALLING) {
      install(mine, source);
      return;
    }
    for (int lane = 0; lane < LANES; lane++) {
      mine.takeNext().ifPresent(next -> fetch(mine, source, next.file()));
    }
  }

  private LocalFiles local() {
    return new LocalFiles(disk.files.values().stream().map(Segment::identity).toList(), Map.of());
  }

  private void fetch(CopyRound mine, SimNode source, SegmentFile file) {
    world
        .network()
        .<Optional<Segment>>call(
            node.process(),
            source.process(),
            reply ->
                reply.accept(
                    source
                        .primary(shard)
                        .flatMap(p -> p.file(mine.target().generation(), file.name()))),
            answer ->
                answer.ifPresentOrElse(
                    segment -> arrived(mine, source, file, segment),
                    () -> failed(mine, CopyCourse.Failure.SOURCE_GONE)),
            () -> failed(mine, CopyCourse.Failure.SOURCE_UNREACHABLE));
  }

  private void arrived(CopyRound mine, SimNode source, SegmentFile file, Segment answer) {
    if (closed || mine.state().ended()) {
      return;
    }
    Segment arrived = world.answerIsTruncated() ? answer.truncated() : answer;
    if (!arrived.identity().sameContent(file)
        && !world.mutated(Mutation.INSTALL_WITHOUT_ALL_FILES)) {
      failed(mine, CopyCourse.Failure.COPY_BROKEN);
      return;
    }
    disk.files.put(file.name(), arrived);
    mine.arrived(file);
    if (mine.state() == CopyRound.State.INSTALLING) {
      install(mine, source);
    } else {
      mine.takeNext().ifPresent(next -> fetch(mine, source, next.file()));
    }
  }

  private void failed(CopyRound mine, CopyCourse.Failure failure) {
    if (closed || round != mine || mine.state().ended()) {
      return;
    }
    mine.failed(failure.name());
    round = null;
    course.failed(mine.target(), failure, world.queue().nowMillis());
    next();
  }

  /** The publisher is gone or has forgotten the generation. */
  private void fromStore(CopyRound mine, CopyCourse.Failure failure) {
    if (closed || round != mine) {
      return;
    }
    Manifest target = mine.target();
    if (!world.shape().remoteStore() || !world.store().holdsAll(target)) {
      failed(mine, failure);
      return;
    }
    if (mine.state() == CopyRound.State.PLANNING) {
      mine.planned(local());
    }
    while (mine.state() == CopyRound.State.FETCHING) {
      SegmentFile file = mine.takeNext().orElseThrow().file();
      disk.files.put(
          file.name(), Objects.requireNonNull(world.store().segment(shard, file.name())));
      mine.arrived(file);
    }
    install(mine, null);
  }

  private void install(CopyRound mine, @Nullable SimNode source) {
    Manifest target = mine.target();
    visible = Segment.fold(disk.segments(target.files()));
    visibleSeqNo = target.visibleSeqNo();
    List<String> names = target.files().stream().map(SegmentFile::name).toList();
    disk.commit =
        new TwinDisk.Commit(
            new Checkpoint(target.nextOffset(), target.nextSeqNo(), target.fenceTerm()), names);
    disk.files.keySet().retainAll(names);
    mine.installed();
    round = null;
    course.achieved(target);
    world.observe(new Observation.Installed(this, target, disk));
    world.observe(new Observation.Shown(this));
    if (source != null) {
      world
          .network()
          .send(
              node.process(),
              source.process(),
              () ->
                  source
                      .primary(shard)
                      .ifPresent(primary -> primary.release(target.generation(), copyId)));
    }
    if (!announced) {
      announced = true;
      node.announceStarted(this, shard, copyId, target.term());
    }
    report();
    next();
  }

  private void after(long micros, Runnable task) {
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
  public TwinDisk disk() {
    return disk;
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
