package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.retention.LogNeeds;
import io.varve.store.BackOff;
import io.varve.store.CopyCourse;
import io.varve.store.CopyRound;
import io.varve.store.FanOut;
import io.varve.store.LocalFiles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replica by copying: tails manifests, fetches what it lacks from a replica before it that shows
 * the manifest or else under a lease from the publisher, swaps, and goes again at once while it
 * isn't at the newest. A new one may be opened before it is copied: it shows the newest manifest
 * from its publisher's files meanwhile, and is not started. It is reported as started when it shows
 * what others show; behind that, only where nobody else serves. What to do next is production's to
 * say: {@link CopyCourse}, {@link CopyRound}, {@code CopyPlanner}, {@link FanOut}.
 */
final class SegmentReplicaActor implements SimCopy {

  private static final int LANES = 2;
  private static final int PEER_ATTEMPTS = 4;
  private static final int SLOW_MICROS = 600_000;
  private static final int LOOK_MICROS = 5_000;

  private final World world;
  private final SimNode node;
  private final ShardId shard;
  private final String copyId;
  private final TwinDisk disk;
  private final long incarnation;
  private boolean closed;
  private final CopyCourse course;
  private boolean started;
  private @Nullable Manifest opened;
  private @Nullable Manifest newest;
  private long manifestsRead;
  private @Nullable CopyRound round;
  private Map<String, Operation> visible = Map.of();
  private long visibleSeqNo = -1;

  /** The name of the last lease; no two have the same, also after a restart. */
  private String lease = "";

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
    PartitionLog log = world.open(World.ops(shard), node.process(), "r-" + node.process());
    TwinDisk.Commit commit = disk.commit;
    try {
      Checkpoint shown = commit == null ? Checkpoint.START : commit.checkpoint();
      if (LostLogs.isLost(world, log, manifests, shown)) {
        after(LostLogs.RETRY_MICROS, this::start);
        return;
      }
    } catch (LogException e) {
      after(50_000, this::start);
      return;
    }
    Manifest kept = disk.kept();
    if (kept != null) {
      course.achieved(kept);
      visible = Segment.fold(disk.segments(kept.files()));
      visibleSeqNo = kept.visibleSeqNo();
      world.observe(new Observation.Shown(this));
    }
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
    if (kept != null) {
      whenRead(this::startIfNewest);
    }
  }

  /** Carries out that once all is read that is in the manifests' log now. */
  private void whenRead(Runnable then) {
    try {
      whenRead(manifestsEnd(), then);
    } catch (LogException.Unavailable e) {
      after(50_000, () -> whenRead(then));
    }
  }

  private void whenRead(long end, Runnable then) {
    if (manifestsRead >= end) {
      then.run();
    } else {
      after(LOOK_MICROS, () -> whenRead(end, then));
    }
  }

  private void startIfNewest() {
    Manifest shown = course.achieved();
    boolean newestIsHere =
        shown != null && opened == null && (newest == null || !newest.isNewerThan(shown));
    if (newestIsHere && !started) {
      started = true;
      long told = world.clients().toldSeqNo(shard);
      whenRead(() -> announceWhenShown(newest == null ? -1 : newest.visibleSeqNo(), told));
    }
  }

  /**
   * @param owedSeqNo what it has to show before
   * @param toldSeqNo up to which clients were told by then that all is visible
   */
  private void announceWhenShown(long owedSeqNo, long toldSeqNo) {
    if (visibleSeqNo >= owedSeqNo) {
      announce(toldSeqNo);
    } else if (nobodyElseServes()) {
      announce(-1);
    } else {
      after(LOOK_MICROS, () -> announceWhenShown(owedSeqNo, toldSeqNo));
    }
  }

  private boolean nobodyElseServes() {
    return node.state()
        .shard(shard)
        .filter(routing -> node.state().othersServe(routing, copyId))
        .isEmpty();
  }

  /** Behind what was shown, so that it can be promoted; its reads wait for that. */
  private void startWithoutSource() {
    Manifest shown = course.achieved();
    boolean alone = nobodyElseServes() || world.mutated(Mutation.START_WITHOUT_A_SOURCE);
    if (!started && opened == null && shown != null && alone) {
      started = true;
      announce(nobodyElseServes() ? -1 : world.clients().toldSeqNo(shard));
    }
  }

  private void manifest(StoredRecord stored) {
    Manifest manifest = world.manifest(stored);
    boolean news = course.seen(manifest);
    manifestsRead = stored.offset() + 1;
    if (news) {
      newest = manifest;
      if (opened != null) {
        after(world.random().nextInt(SLOW_MICROS / 4), () -> open(manifest));
      }
    }
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
    ask(mine, new ArrayDeque<>(replicasBefore(mine.target())));
  }

  /** Whom production asks before the publisher, as this node knows the routing. */
  private List<ReplicaSource> replicasBefore(Manifest target) {
    List<CopyRouting> others =
        node.state().shard(shard).map(routing -> routing.everywhere()).orElse(List.of()).stream()
            .filter(copy -> copy.nodeId() != null && !copy.primary() && !copy.isOn(target.nodeId()))
            .toList();
    List<String> ids = others.stream().map(CopyRouting::copyId).toList();
    return FanOut.before(ids, copyId).stream()
        .map(id -> new ReplicaSource(world.node(placeOf(id, others)), id))
        .toList();
  }

  private static String placeOf(String id, List<CopyRouting> others) {
    return others.stream()
        .filter(copy -> copy.copyId().equals(id))
        .map(copy -> Objects.requireNonNull(copy.nodeId()))
        .findFirst()
        .orElseThrow();
  }

  /** From where files come: another replica that shows the manifest, or its publisher. */
  private sealed interface Source {
    SimNode node();
  }

  private record ReplicaSource(SimNode node, String id) implements Source {}

  private record Publisher(SimNode node) implements Source {}

  /**
   * Asks a replica a few times, as long as it may be on its way, then the next, at last the
   * publisher.
   */
  private void ask(CopyRound mine, Deque<ReplicaSource> before) {
    if (before.isEmpty()) {
      askPublisher(mine);
    } else {
      ask(mine, before, PEER_ATTEMPTS);
    }
  }

  private void ask(CopyRound mine, Deque<ReplicaSource> before, int attempts) {
    ReplicaSource source = before.getFirst();
    Runnable next =
        () -> {
          before.removeFirst();
          ask(mine, before);
        };
    world
        .network()
        .<Boolean>call(
            node.process(),
            source.node().process(),
            reply ->
                reply.accept(
                    source
                        .node()
                        .replica(source.id())
                        .filter(r -> r.shows(mine.target()))
                        .isPresent()),
            shown -> {
              if (closed || round != mine) {
                return;
              }
              if (shown) {
                fetch(mine, source);
              } else if (attempts > 1) {
                after(5_000, () -> ifCurrent(mine, () -> ask(mine, before, attempts - 1)));
              } else {
                next.run();
              }
            },
            () -> ifCurrent(mine, next));
  }

  private void ifCurrent(CopyRound mine, Runnable task) {
    if (!closed && round == mine) {
      task.run();
    }
  }

  /** Whether others can read that manifest's files here. */
  boolean shows(Manifest manifest) {
    Manifest shown = course.achieved();
    return alive() && shown != null && !shown.isNewerThan(manifest) && !manifest.isNewerThan(shown);
  }

  private Optional<Segment> file(Manifest manifest, String name) {
    return shows(manifest) ? Optional.ofNullable(disk.files.get(name)) : Optional.empty();
  }

  private void askPublisher(CopyRound mine) {
    Manifest target = mine.target();
    SimNode source = world.node(target.nodeId());
    String name = copyId + "." + world.queue().nowMillis();
    lease = name;
    world
        .network()
        .<Boolean>call(
            node.process(),
            source.process(),
            reply ->
                reply.accept(
                    source
                        .primary(shard)
                        .flatMap(primary -> primary.publisher().lease(target.generation(), name))
                        .filter(manifest -> manifest.term() == target.term())
                        .isPresent()),
            leased -> {
              if (leased) {
                fetch(mine, new Publisher(source));
              } else {
                fromStore(mine, CopyCourse.Failure.SOURCE_GONE);
              }
            },
            () -> fromStore(mine, CopyCourse.Failure.SOURCE_UNREACHABLE));
  }

  private void fetch(CopyRound mine, Source source) {
    if (closed || round != mine) {
      return;
    }
    if (mine.state() == CopyRound.State.PLANNING) {
      mine.planned(local());
      if (!started && opened == null && world.random().nextBoolean()) {
        open(mine.target());
        // It is opened because its files take long.
        after(
            world.random().nextInt(SLOW_MICROS), () -> ifCurrent(mine, () -> fetch(mine, source)));
        return;
      }
    }
    if (mine.state() == CopyRound.State.INSTALLING) {
      install(mine, source);
      return;
    }
    for (int lane = 0; lane < LANES; lane++) {
      mine.takeNext().ifPresent(next -> fetch(mine, source, next.file()));
    }
  }

  /** Shows that manifest from its publisher's files, unless the copy is started by then. */
  private void open(Manifest manifest) {
    SimNode publisher = world.node(manifest.nodeId());
    world
        .network()
        .<List<Segment>>call(
            node.process(),
            publisher.process(),
            reply -> reply.accept(readAll(publisher, manifest)),
            segments -> opened(manifest, segments),
            () -> {});
  }

  private List<Segment> readAll(SimNode publisher, Manifest manifest) {
    return manifest.files().stream()
        .map(file -> file(new Publisher(publisher), manifest, file.name()))
        .flatMap(Optional::stream)
        .toList();
  }

  private void opened(Manifest manifest, List<Segment> segments) {
    Manifest shown = opened == null ? course.achieved() : opened;
    boolean all = segments.stream().map(Segment::identity).toList().equals(manifest.files());
    if (closed || started || !all || (shown != null && !manifest.isNewerThan(shown))) {
      return;
    }
    opened = manifest;
    visible = Segment.fold(segments);
    visibleSeqNo = manifest.visibleSeqNo();
    world.observe(new Observation.Shown(this));
    if (world.mutated(Mutation.ANNOUNCE_WHAT_IS_ONLY_OPENED)) {
      announce(-1);
    }
  }

  /** Whether it answers reads though it is not started. */
  boolean isOpened() {
    return alive() && opened != null && !started;
  }

  /** Whether it shows all that was published before that offset of the manifests' log. */
  boolean shows(long manifestsEnd) {
    return manifestsRead >= manifestsEnd
        && (newest == null || visibleSeqNo >= newest.visibleSeqNo());
  }

  long manifestsEnd() throws LogException.Unavailable {
    return world.open(World.manifests(shard), node.process(), "e-" + node.process()).endOffset();
  }

  private LocalFiles local() {
    return new LocalFiles(disk.files.values().stream().map(Segment::identity).toList(), Map.of());
  }

  private void fetch(CopyRound mine, Source source, SegmentFile file) {
    world
        .network()
        .<Optional<Segment>>call(
            node.process(),
            source.node().process(),
            reply -> reply.accept(file(source, mine.target(), file.name())),
            answer ->
                answer.ifPresentOrElse(
                    segment -> arrived(mine, source, file, segment),
                    () -> failed(mine, CopyCourse.Failure.SOURCE_GONE)),
            () -> failed(mine, CopyCourse.Failure.SOURCE_UNREACHABLE));
  }

  /** What the other side finds when it is asked. */
  private Optional<Segment> file(Source source, Manifest target, String name) {
    return switch (source) {
      case Publisher(SimNode publisher) ->
          publisher
              .primary(shard)
              .flatMap(primary -> primary.publisher().file(target.generation(), name));
      case ReplicaSource(SimNode other, String id) ->
          other.replica(id).flatMap(replica -> replica.file(target, name));
    };
  }

  private void arrived(CopyRound mine, Source source, SegmentFile file, Segment answer) {
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
    startWithoutSource();
    next();
  }

  /** The publisher is gone or has forgotten the generation. */
  private void fromStore(CopyRound mine, CopyCourse.Failure failure) {
    if (closed || round != mine) {
      return;
    }
    Manifest target = mine.target();
    boolean lossy = world.mutated(Mutation.INSTALL_WITHOUT_LOST_OBJECTS);
    boolean held = world.shape().remoteStore() && (lossy || world.store().holdsAll(target));
    if (!held || world.storeFails()) {
      failed(mine, failure);
      return;
    }
    if (mine.state() == CopyRound.State.PLANNING) {
      mine.planned(local());
    }
    while (mine.state() == CopyRound.State.FETCHING) {
      SegmentFile file = mine.takeNext().orElseThrow().file();
      Segment segment = world.store().segment(shard, file.name());
      if (segment != null) {
        disk.files.put(file.name(), segment);
      }
      mine.arrived(file);
    }
    install(mine, null);
  }

  private void install(CopyRound mine, @Nullable Source source) {
    Manifest target = mine.target();
    if (opened == null || !opened.isNewerThan(target)) {
      opened = null;
      visible = Segment.fold(disk.segments(target.files()));
      visibleSeqNo = target.visibleSeqNo();
    }
    disk.installed(target);
    disk.files.keySet().retainAll(target.files().stream().map(SegmentFile::name).toList());
    mine.installed();
    round = null;
    course.achieved(target);
    world.observe(new Observation.Installed(this, target, disk));
    world.observe(new Observation.Shown(this));
    if (source instanceof Publisher(SimNode publisher)) {
      String name = lease;
      world
          .network()
          .send(
              node.process(),
              publisher.process(),
              () ->
                  publisher
                      .primary(shard)
                      .ifPresent(
                          primary -> primary.publisher().release(target.generation(), name)));
    }
    startIfNewest();
    next();
  }

  /**
   * @param toldSeqNo what it has to show, as clients were told
   */
  private void announce(long toldSeqNo) {
    Manifest shown = Objects.requireNonNull(opened == null ? course.achieved() : opened);
    world.observe(new Observation.SaysStarted(this, shown, disk, toldSeqNo));
    node.announceStarted(this, shard, copyId, shown.term());
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

  /** A folder that a primary left is none of its own: it may be replaced by an older manifest. */
  @Override
  public long durableOffset() {
    Manifest installed = course.achieved();
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
