package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.store.CopyRound;
import io.varve.store.CopySchedule;
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
 * The transfers of a segment replica: finds a source for a manifest, fetches the files that are
 * missing here, and installs the manifest. Production's {@link CopyRound}, {@code CopyPlanner} and
 * {@link FanOut} decide.
 *
 * <p>Sources are tried in this order: the replicas before this one that show the manifest, each a
 * few times; the publisher, under a lease; the segment store.
 */
final class SegmentTransfer {

  private static final int LANES = 2;
  private static final int PEER_ATTEMPTS = 4;

  private final SegmentReplicaActor replica;
  private final World world;
  private final SimNode node;
  private final ShardId shard;
  private final String copyId;
  private final SimDisk disk;
  private final CopySchedule schedule;
  private @Nullable CopyRound round;

  /** Name of the last lease, which is unique even across restarts. */
  private String lease = "";

  SegmentTransfer(SegmentReplicaActor replica, World world, CopySchedule schedule) {
    this.replica = replica;
    this.world = world;
    this.schedule = schedule;
    this.node = replica.node();
    this.shard = replica.shard();
    this.copyId = replica.copyId();
    this.disk = replica.disk();
  }

  boolean isRunning() {
    return round != null;
  }

  /** Replaces a running round by one for this newer manifest if production would do so. */
  boolean yieldedTo(Manifest manifest) {
    CopyRound running = round;
    if (running == null
        || running.state() != CopyRound.State.FETCHING
        || !running.shouldYieldTo(manifest)) {
      return false;
    }
    begin(running.yieldTo(manifest));
    return true;
  }

  void begin(Manifest target) {
    begin(new CopyRound(target));
  }

  private void begin(CopyRound mine) {
    round = mine;
    ask(mine, new ArrayDeque<>(replicasBefore(mine.target())));
  }

  /** The replicas that production asks before the publisher, by this node's view of the routing. */
  private List<ReplicaSource> replicasBefore(Manifest target) {
    List<CopyRouting> others =
        node.state().shard(shard).map(routing -> routing.everywhere()).orElse(List.of()).stream()
            .filter(copy -> copy.nodeId() != null && !copy.primary() && !copy.isOn(target.nodeId()))
            .toList();
    List<String> ids = others.stream().map(CopyRouting::copyId).toList();
    return FanOut.before(ids, copyId).stream()
        .map(id -> new ReplicaSource(world.node(nodeIdOf(id, others)), id))
        .toList();
  }

  private static String nodeIdOf(String id, List<CopyRouting> others) {
    return others.stream()
        .filter(copy -> copy.copyId().equals(id))
        .map(copy -> Objects.requireNonNull(copy.nodeId()))
        .findFirst()
        .orElseThrow();
  }

  /** A source of files: another replica that shows the manifest, or its publisher. */
  private sealed interface Source {
    SimNode node();
  }

  private record ReplicaSource(SimNode node, String id) implements Source {}

  private record Publisher(SimNode node) implements Source {}

  /**
   * Asks each replica a few times, because it may be copying the manifest itself, and the publisher
   * last.
   */
  private void ask(CopyRound mine, Deque<ReplicaSource> replicas) {
    if (replicas.isEmpty()) {
      askPublisher(mine);
    } else {
      ask(mine, replicas, PEER_ATTEMPTS);
    }
  }

  private void ask(CopyRound mine, Deque<ReplicaSource> replicas, int attempts) {
    ReplicaSource source = replicas.getFirst();
    Runnable next =
        () -> {
          replicas.removeFirst();
          ask(mine, replicas);
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
              if (replica.isClosed() || round != mine) {
                return;
              }
              if (shown) {
                fetch(mine, source);
              } else if (attempts > 1) {
                replica.after(
                    5_000, () -> ifCurrent(mine, () -> ask(mine, replicas, attempts - 1)));
              } else {
                next.run();
              }
            },
            () -> ifCurrent(mine, next));
  }

  private void ifCurrent(CopyRound mine, Runnable task) {
    if (!replica.isClosed() && round == mine) {
      task.run();
    }
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
                fromStore(mine, CopySchedule.Failure.SOURCE_GONE);
              }
            },
            () -> fromStore(mine, CopySchedule.Failure.SOURCE_UNREACHABLE));
  }

  private void fetch(CopyRound mine, Source source) {
    if (replica.isClosed() || round != mine) {
      return;
    }
    if (mine.state() == CopyRound.State.PLANNING) {
      mine.planned(local());
      if (replica.isEmpty() && world.random().nextBoolean()) {
        replica.open(mine.target());
        // A copy is opened because its files take long.
        replica.after(
            world.random().nextInt(SegmentReplicaActor.SLOW_MICROS),
            () -> ifCurrent(mine, () -> fetch(mine, source)));
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
                    () -> failed(mine, CopySchedule.Failure.SOURCE_GONE)),
            () -> failed(mine, CopySchedule.Failure.SOURCE_UNREACHABLE));
  }

  /** The file that a source finds when it is asked. */
  private Optional<Segment> file(Source source, Manifest target, String name) {
    return switch (source) {
      case Publisher(SimNode publisher) -> published(publisher, shard, target, name);
      case ReplicaSource(SimNode other, String id) ->
          other.replica(id).flatMap(replica -> replica.file(target, name));
    };
  }

  /** All files of a manifest that its publisher still has. */
  static List<Segment> published(SimNode publisher, ShardId shard, Manifest manifest) {
    return manifest.files().stream()
        .map(file -> published(publisher, shard, manifest, file.name()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** A file of a manifest, if its publisher still holds it. */
  static Optional<Segment> published(
      SimNode publisher, ShardId shard, Manifest target, String name) {
    return publisher
        .primary(shard)
        .flatMap(primary -> primary.publisher().file(target.generation(), name));
  }

  private void arrived(CopyRound mine, Source source, SegmentFile file, Segment answer) {
    if (replica.isClosed() || mine.state().ended()) {
      return;
    }
    Segment arrived = world.faults().answerIsTruncated() ? answer.truncated() : answer;
    if (!arrived.identity().sameContent(file)
        && !world.mutated(Mutation.INSTALL_WITHOUT_ALL_FILES)) {
      failed(mine, CopySchedule.Failure.COPY_BROKEN);
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

  private void failed(CopyRound mine, CopySchedule.Failure failure) {
    if (replica.isClosed() || round != mine || mine.state().ended()) {
      return;
    }
    mine.failed(failure.name());
    round = null;
    schedule.failed(mine.target(), failure, world.queue().nowMillis());
    replica.transferFailed(failure, mine.target());
  }

  /**
   * Takes the files from the segment store: the publisher is unreachable or no longer has the
   * generation.
   */
  private void fromStore(CopyRound mine, CopySchedule.Failure failure) {
    if (replica.isClosed() || round != mine) {
      return;
    }
    Manifest target = mine.target();
    boolean lossy = world.mutated(Mutation.INSTALL_WITHOUT_LOST_OBJECTS);
    boolean held =
        world.indices().hasStore(target.shard()) && (lossy || world.store().holdsAll(target));
    if (!held || world.faults().storeFails()) {
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
    replica.switchTo(target);
    mine.installed();
    round = null;
    schedule.achieved(target);
    world.observe(new Observation.Installed(replica, target, disk));
    world.observe(new Observation.Shown(replica));
    if (source instanceof Publisher(SimNode publisher)) {
      release(publisher, target);
    }
    replica.installed();
  }

  private void release(SimNode publisher, Manifest target) {
    String name = lease;
    world
        .network()
        .send(
            node.process(),
            publisher.process(),
            () ->
                publisher
                    .primary(shard)
                    .ifPresent(primary -> primary.publisher().release(target.generation(), name)));
  }
}
