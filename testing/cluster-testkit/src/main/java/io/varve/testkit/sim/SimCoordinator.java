package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterSnapshot;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Relocation;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.SnapshotSchedule;
import io.varve.control.LeaderElection;
import io.varve.control.Membership;
import io.varve.control.allocation.FailedPlaces;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.Reroute;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence.Verdict;
import io.varve.search.mapping.Mapping;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator: routes writes by its own view of the cluster, and leads when production's {@link
 * LeaderElection} says so. Production's {@link Membership} and {@link Reconciler} decide the
 * events. A leader decides only on the complete prefix of the cluster log, one batch of events at a
 * time, and only while it holds its fence.
 */
final class SimCoordinator {

  private static final long NODE_TIMEOUT_MILLIS = 450;
  private static final long LEADER_TIMEOUT_MILLIS = 400;
  private static final long LEADER_STAGGER_MILLIS = 150;

  /** Low limits, so that histories begin with snapshots and processes fall behind one. */
  private static final SnapshotSchedule.Limits SNAPSHOTS =
      new SnapshotSchedule.Limits(12, Long.MAX_VALUE);

  private final World world;
  private final SimProcess process;
  private PartitionLog log;
  private ClusterView view;
  private @Nullable FencedWriter writer;
  private long nextSeqNo;
  private SnapshotSchedule schedule = SnapshotSchedule.START;
  private long leaderSeenMillis;
  private long listeningSinceMillis;
  private final LeaderElection election;
  private final Membership membership = new Membership(NODE_TIMEOUT_MILLIS);
  private final Reconciler reconciler;
  private final Reroute reroute;
  private final Map<String, Membership.Sign> signs = new TreeMap<>();
  private final Map<String, Long> absentSinceMillis = new TreeMap<>();
  private final FailedPlaces failedPlaces = new FailedPlaces();
  private final List<Function<ClusterState, @Nullable ClusterEvent>> wishes = new ArrayList<>();

  SimCoordinator(World world, String nodeId) {
    this.world = world;
    this.process = new SimProcess(nodeId, world.queue());
    this.election = new LeaderElection(nodeId, LEADER_TIMEOUT_MILLIS, LEADER_STAGGER_MILLIS);
    this.reconciler = new Reconciler(world::newId);
    this.reroute = new Reroute(world::newId);
    this.log = world.open(World.CLUSTER, process, nodeId);
    this.view = newView();
  }

  private ClusterView newView() {
    return new ClusterView(
        log,
        FeatureLevels.OF_THIS_RELEASE,
        reason -> {
          world.requireUnreachableLog(process, reason);
          kill();
          world.restartLater(process, this::start);
        },
        task -> process.after(World.PAUSE_MICROS, task));
  }

  SimProcess process() {
    return process;
  }

  ClusterState state() {
    return view.current();
  }

  boolean leads() {
    FencedWriter current = writer;
    return process.isUp() && current != null && current.isOpen();
  }

  void start() {
    process.start();
    log = world.open(World.CLUSTER, process, "c-" + process);
    view = newView();
    view.start();
    var _ = view.listen(world::routed);
    writer = null;
    signs.clear();
    failedPlaces.clear();
    wishes.clear();
    absentSinceMillis.clear();
    leaderSeenMillis = world.queue().nowMillis();
    tick();
  }

  void kill() {
    process.kill();
    writer = null;
  }

  private void tick() {
    FencedWriter current = writer;
    if (current != null && current.isOpen()) {
      world.sendToCoordinators(process, SimCoordinator::leaderSeen);
      decide(current);
    } else if (current == null
        && election.shouldCampaign(state(), world.queue().nowMillis() - leaderSeenMillis)) {
      campaign();
    }
    process.after(40_000 + world.random().nextInt(20_000), this::tick);
  }

  private void leaderSeen() {
    leaderSeenMillis = world.queue().nowMillis();
  }

  private void campaign() {
    long term = state().leaderTerm() + 1;
    FencedWriter mine =
        new FencedWriter(
            log,
            term,
            process.name(),
            task -> process.after(world.network().latencyMicros(), task),
            (reason, newerTerm) -> writer = null);
    writer = mine;
    leaderSeen();
    try {
      mine.appendFence(outcome -> {
        switch (outcome) {
          case FencedWriter.Outcome.Accepted fence -> openWhenRead(mine, fence.offset());
          case FencedWriter.Outcome.Unknown _, FencedWriter.Outcome.Rejected _ -> writer = null;
        }
      });
    } catch (LogException.Full e) {
      writer = null;
    }
  }

  private void openWhenRead(FencedWriter mine, long fenceOffset) {
    if (writer != mine) {
      return;
    }
    if (view.position().current() <= fenceOffset) {
      process.after(5_000, () -> openWhenRead(mine, fenceOffset));
      return;
    }
    ClusterFold fold = new ClusterFold();
    List<Verdict> verdicts = new ArrayList<>();
    try {
      log.read(log.startOffset(), fenceOffset + 1, stored -> verdicts.add(fold.add(stored)));
    } catch (LogException e) {
      process.after(20_000, () -> openWhenRead(mine, fenceOffset));
      return;
    }
    if (!mine.open(fold.fence(), verdicts.getLast())) {
      writer = null;
      return;
    }
    nextSeqNo = fold.fence().nextSeqNo();
    schedule = fold.schedule();
    failedPlaces.clear();
    wishes.clear();
    absentSinceMillis.clear();
    listeningSinceMillis = world.queue().nowMillis();
  }

  /** Decides once the state includes everything that was appended before. */
  private void decide(FencedWriter current) {
    ClusterState state = state();
    if (state.version() < nextSeqNo) {
      return;
    }
    List<ClusterEvent> events = broken(state, events(state));
    if (events.isEmpty() && schedule.due(SNAPSHOTS)) {
      schedule = schedule.written(0);
      append(current, List.copyOf(snapshot(state).parts()));
    } else {
      append(current, events);
    }
    shorten();
  }

  private ClusterSnapshot snapshot(ClusterState state) {
    ClusterState known =
        world.mutated(Mutation.SNAPSHOT_WITHOUT_MEMBERS) ? state.withNodes(Map.of()) : state;
    return ClusterSnapshot.of(known, List.copyOf(view.deletedIndices()));
  }

  private void shorten() {
    try {
      if (view.removableBefore() > log.startOffset()) {
        log.truncateBefore(view.removableBefore());
      }
    } catch (LogException e) {
      world.note("the cluster log is not shortened: " + e.getMessage());
    }
  }

  private void append(FencedWriter current, List<ClusterEvent> events) {
    for (ClusterEvent event : events) {
      try {
        boolean sent =
            current.append(
                RecordHeader.data(
                    current.term(),
                    nextSeqNo,
                    "cluster".getBytes(StandardCharsets.UTF_8),
                    Json.write(event)),
                outcome -> {});
        if (!sent) {
          return;
        }
      } catch (LogException.Full e) {
        return;
      }
      nextSeqNo++;
      schedule = schedule.appended(1);
    }
  }

  private List<ClusterEvent> events(ClusterState state) {
    List<ClusterEvent> founding = world.indices().founding(state);
    if (!founding.isEmpty()) {
      return founding;
    }
    long now = world.queue().nowMillis();
    List<ClusterEvent> events = membership.changes(state, signs, listeningSinceMillis, now);
    if (!events.isEmpty()) {
      return events;
    }
    List<Function<ClusterState, @Nullable ClusterEvent>> asked = List.copyOf(wishes);
    wishes.clear();
    List<ClusterEvent> wished = new ArrayList<>();
    ClusterState then = state;
    for (Function<ClusterState, @Nullable ClusterEvent> wish : asked) {
      ClusterEvent event = wish.apply(then);
      if (event != null) {
        wished.add(event);
        then = then.apply(event);
      }
    }
    if (!wished.isEmpty()) {
      return wished;
    }
    absentSinceMillis.keySet().removeAll(state.nodes().keySet());
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          String nodeId = copy.nodeId();
          if (nodeId != null && !state.nodes().containsKey(nodeId)) {
            absentSinceMillis.putIfAbsent(nodeId, now);
          }
        }
      }
    }
    return reconciler.reconcile(
        state, new Reconciler.Situation(absentSinceMillis, failedPlaces.refused(state, now), now));
  }

  /** The events, changed if a mutation asks for it. */
  private List<ClusterEvent> broken(ClusterState state, List<ClusterEvent> events) {
    List<ClusterEvent> result = new ArrayList<>();
    for (ClusterEvent event : events) {
      switch (event) {
        case ClusterEvent.HandOverStarted e
            when world.mutated(Mutation.DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS) ->
            result.add(new ClusterEvent.RelocationFinished(e.shard(), e.targetCopyId()));
        case ClusterEvent.ReplicaPromoted e when world.mutated(Mutation.PROMOTE_A_SEARCH_COPY) ->
            result.addAll(promotedForSearch(state, e));
        default -> result.add(event);
      }
    }
    return result;
  }

  private static List<ClusterEvent> promotedForSearch(
      ClusterState state, ClusterEvent.ReplicaPromoted event) {
    ShardRouting shard = state.shard(event.shard()).orElseThrow();
    List<CopyRouting> found = shard.searchReplicas().stream().filter(state::active).toList();
    if (found.isEmpty()) {
      return List.of(event);
    }
    CopyRouting chosen = found.getFirst();
    return List.of(
        new ClusterEvent.CopiesChanged(
            event.shard(),
            shard.copies().stream().map(c -> c.equals(chosen) ? asReplica(c) : c).toList()),
        new ClusterEvent.ReplicaPromoted(
            event.shard(), chosen.copyId(), event.term(), event.reason()));
  }

  private static CopyRouting asReplica(CopyRouting copy) {
    return new CopyRouting(copy.copyId(), false, copy.state(), copy.nodeId(), copy.reason());
  }

  /** Executes a user's request to move the copy to another node. */
  void move(CopyRouting copy, String toNode) {
    wish(state ->
        state.indices().values().stream()
            .flatMap(index ->
                index.shards().stream()
                    .filter(shard -> shard.copies().contains(copy))
                    .map(shard ->
                        new RerouteCommand.Move(
                            index.name(),
                            shard.shard().number(),
                            String.valueOf(copy.nodeId()),
                            toNode)))
            .flatMap(move -> reroute.plan(state, List.of(move)).stream())
            .flatMap(outcome -> outcome.events().stream())
            .findFirst()
            .orElse(null));
  }

  /**
   * Executes a user's request to make an index search-only, or writable again: the next step
   * towards it.
   */
  void scale(String indexUuid, boolean searchOnly) {
    wish(state -> state.index(indexUuid).map(index -> scaled(index, searchOnly)).orElse(null));
  }

  /** Adds the fields of a document that the index's mapping lacks. */
  void newFields(String indexUuid, String properties) {
    wish(state -> state.index(indexUuid).map(index -> mapped(index, properties)).orElse(null));
  }

  private static @Nullable ClusterEvent mapped(IndexMetadata index, String properties) {
    return Mapping.parse(index.mapping()).merge(properties)
                instanceof Mapping.Merge.Merged(Mapping merged, boolean changed)
            && changed
        ? new ClusterEvent.MappingChanged(index.uuid(), index.mappingVersion() + 1, merged.toJson())
        : null;
  }

  /** Executes a user's request to delete an index. */
  void delete(String indexUuid) {
    wish(state ->
        state
            .index(indexUuid)
            .<ClusterEvent>map(index -> new ClusterEvent.IndexDeleted(index.uuid()))
            .orElse(null));
  }

  private static @Nullable ClusterEvent scaled(IndexMetadata index, boolean searchOnly) {
    if (index.searchOnly() != searchOnly) {
      Map<String, @Nullable String> changes = new HashMap<>();
      changes.put(IndexBlocks.SEARCH_ONLY, searchOnly ? "true" : null);
      return new ClusterEvent.IndexSettingsChanged(
          index.uuid(), index.settingsVersion() + 1, changes);
    }
    return searchOnly && !index.released() ? new ClusterEvent.WritersReleased(index.uuid()) : null;
  }

  void heartbeat(NodeHeartbeat beat) {
    signs.put(beat.nodeId(), new Membership.Sign(beat, world.queue().nowMillis()));
  }

  void newTerm(ShardId shard, String copyId, String nodeId, long lastTerm, String reason) {
    wish(state ->
        state
            .shard(shard)
            .filter(s -> s.handOver().isPresent())
            .map(s -> whileHandingOver(s, copyId, lastTerm, reason))
            .orElseGet(() -> nextTerm(state, shard, copyId, nodeId, lastTerm)));
  }

  private static @Nullable ClusterEvent whileHandingOver(
      ShardRouting shard, String copyId, long lastTerm, String reason) {
    return shard
        .relocationTo(copyId)
        .filter(moving -> moving.handOverTerm() == lastTerm)
        .map(moving -> Reroute.cancelled(shard, moving, reason))
        .orElse(null);
  }

  private static @Nullable ClusterEvent nextTerm(
      ClusterState state, ShardId shard, String copyId, String nodeId, long lastTerm) {
    return state
        .shard(shard)
        .filter(s -> s.handOver().isEmpty() && s.primaryTerm() == lastTerm)
        .filter(s -> s.primary().copyId().equals(copyId) && s.primary().isOn(nodeId))
        .map(s -> new ClusterEvent.PrimaryAssigned(shard, copyId, nodeId, lastTerm + 1))
        .orElse(null);
  }

  void copyStarted(ShardId shard, String copyId, long term, String nodeId, long incarnation) {
    wish(state ->
        state
            .shard(shard)
            .flatMap(
                s -> s.everywhere().stream().filter(c -> c.copyId().equals(copyId)).findFirst())
            .filter(c -> c.state() == CopyRouting.State.INITIALIZING && c.isOn(nodeId))
            .filter(c ->
                state
                    .node(nodeId)
                    .filter(n -> n.incarnation().equals(nodeId + "#" + incarnation))
                    .isPresent())
            .map(c -> new ClusterEvent.CopyStarted(shard, copyId, term))
            .orElse(null));
  }

  void copyFailed(ShardId shard, String copyId, String nodeId) {
    failedPlaces.failed(shard, nodeId, world.queue().nowMillis());
    wish(state -> state.shard(shard).map(s -> failed(s, copyId)).orElse(null));
  }

  private static @Nullable ClusterEvent failed(ShardRouting shard, String copyId) {
    Relocation arriving = shard.relocationTo(copyId).orElse(null);
    if (arriving != null) {
      return Reroute.cancelled(shard, arriving, "failed");
    }
    boolean followed = shard.handOver().filter(r -> r.copyId().equals(copyId)).isPresent();
    return !followed && shard.copy(copyId).filter(c -> c.nodeId() != null).isPresent()
        ? new ClusterEvent.CopyUnassigned(shard.shard(), copyId, "failed")
        : null;
  }

  private void wish(Function<ClusterState, @Nullable ClusterEvent> wish) {
    FencedWriter current = writer;
    if (current != null && current.isOpen()) {
      wishes.add(wish);
      decide(current);
    }
  }

  /** The copies that are started in this coordinator's view. */
  Set<String> startedCopies(ShardId shard) {
    return state().shard(shard).stream()
        .flatMap(s -> s.writeCopies().stream())
        .filter(CopyRouting::started)
        .map(CopyRouting::copyId)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
