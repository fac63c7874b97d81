package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.events.ShardId;
import io.varve.host.reading.HeldVersions;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.HoldsWire;
import io.varve.shard.replicated.ShardRereplication;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node: follows the cluster log with production's {@link ClusterView}, opens and closes copies as
 * the routing requires, and sends heartbeats. Its folders survive its process.
 */
final class SimNode {

  private final World world;
  private final SimProcess process;
  private final Set<String> roles;
  private final SimHeartbeats heartbeats;
  private final Map<String, SimDisk> disks = new HashMap<>();
  private final Map<ShardId, String> folders = new HashMap<>();
  private final Map<String, SimCopy> copies = new TreeMap<>();
  private final Map<ShardId, ShardRereplication> jobs = new HashMap<>();
  private final SimStartReports reports;
  private final SimPullers pullers;
  private final List<PrimaryActor> rogues = new ArrayList<>();
  private @Nullable ClusterView view;
  private long diskLostMicros = -1;

  SimNode(World world, String nodeId, Set<String> roles) {
    this.world = world;
    this.process = new SimProcess(nodeId, world.queue());
    this.roles = roles;
    this.heartbeats = new SimHeartbeats(world, process, roles);
    this.reports = new SimStartReports(world, this);
    this.pullers = new SimPullers(world, this);
  }

  String nodeId() {
    return process.name();
  }

  SimProcess process() {
    return process;
  }

  Set<String> roles() {
    return roles;
  }

  void start() {
    process.start();
    copies.clear();
    jobs.clear();
    rogues.clear();
    pullers.close();
    ClusterView fresh =
        new ClusterView(
            world.open(World.CLUSTER, process, "view-" + process),
            process.levels(),
            reason -> {
              world.requireUnreachableLog(process, reason);
              kill();
              world.restartLater(process, this::start);
            },
            task -> process.after(World.PAUSE_MICROS, task));
    view = fresh;
    fresh.start();
    var _ = fresh.listen(this::follow);
    heartbeats.start(() -> 0);
  }

  void kill() {
    process.kill();
    copies.values().forEach(SimCopy::close);
    rogues.forEach(SimCopy::close);
    pullers.close();
  }

  /** Deletes its folders; the process must be down. */
  void loseDisk() {
    disks.clear();
    folders.clear();
    diskLostMicros = world.queue().nowMicros();
  }

  private void follow(ClusterState state) {
    world.observe(new Observation.ClusterRead(state));
    if (state.version() > 0) {
      dropAllBut(copiesHere(state));
    }
    for (IndexMetadata index : state.indices().values()) {
      if (index.closed()) {
        continue;
      }
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.isOn(nodeId())) {
            open(index, shard, copy, copy.primary() ? shard.primaryTerm() : 0);
          }
        }
        for (Relocation moving : shard.relocations()) {
          if (moving.target().isOn(nodeId())) {
            open(index, shard, moving.target(), moving.handOverTerm());
          }
        }
      }
    }
    if (roles.contains(NodeInfo.CCR)) {
      pullers.follow(state);
    }
  }

  private Set<String> copiesHere(ClusterState state) {
    return state.indices().values().stream()
        .filter(index -> !index.closed())
        .flatMap(index -> index.shards().stream())
        .flatMap(shard -> shard.everywhere().stream())
        .filter(copy -> copy.isOn(nodeId()))
        .map(CopyRouting::copyId)
        .collect(Collectors.toSet());
  }

  private void dropAllBut(Set<String> wanted) {
    copies
        .values()
        .removeIf(copy -> {
          boolean dropped = !wanted.contains(copy.copyId());
          if (dropped) {
            copy.close();
          }
          return dropped;
        });
  }

  /**
   * Opens a copy.
   *
   * @param term the term in which it is to write; 0 for a replica
   */
  private void open(IndexMetadata index, ShardRouting shard, CopyRouting copy, long term) {
    ShardId id = shard.shard();
    SimCopy here = copies.get(copy.copyId());
    if (term > 0) {
      if (here instanceof PrimaryActor primary && primary.term() >= term) {
        return;
      }
      if (here != null) {
        here.close();
      }
      openPrimary(id, copy.copyId(), term);
      world.faults().maybeAssignTwice(this, id, term);
      return;
    }
    if (here != null && !(here instanceof PrimaryActor)) {
      return;
    }
    if (here != null) {
      here.close();
    }
    SimDisk disk = disk(id, copy.copyId());
    reports.opened(copy.copyId());
    if (index.replicationType().equals(IndexMetadata.DOCUMENT)) {
      DocumentReplicaActor replica = new DocumentReplicaActor(world, this, id, copy.copyId(), disk);
      opened(replica, replica::start);
    } else {
      SegmentReplicaActor replica = new SegmentReplicaActor(world, this, id, copy.copyId(), disk);
      opened(replica, replica::start);
    }
  }

  private void opened(SimCopy replica, Runnable start) {
    copies.put(replica.copyId(), replica);
    start.run();
    if (world.mutated(Mutation.START_WITHOUT_AN_ADMISSION)) {
      announceStarted(replica, 1);
    }
  }

  private void openPrimary(ShardId shard, String copyId, long term) {
    PrimaryActor primary = new PrimaryActor(world, this, shard, copyId, disk(shard, copyId), term);
    reports.opened(copyId);
    copies.put(copyId, primary);
    primary.start();
  }

  /** Injects a fault: this node believes that it owns a term which belongs to another node. */
  void openRogue(ShardId shard, long term) {
    PrimaryActor rogue =
        new PrimaryActor(world, this, shard, "rogue-" + nodeId(), new SimDisk(), term);
    rogues.add(rogue);
    rogue.start();
  }

  /** The state of its puller, for a history that fails. */
  String pulling() {
    return pullers.toString();
  }

  /** Whether it pulls, and reports that the leader's history is lost. */
  boolean hasLostItsLeader() {
    return process.isUp() && pullers.hasLostItsLeader();
  }

  ClusterState state() {
    ClusterView current = view;
    return current == null ? ClusterState.EMPTY : current.current();
  }

  /**
   * The folder of a copy. A shard has one folder per node, so a copy that is assigned again finds
   * the files of the previous one.
   */
  private SimDisk disk(ShardId shard, String copyId) {
    SimDisk known = disks.get(copyId);
    if (known != null) {
      return known;
    }
    String before = folders.put(shard, copyId);
    SimDisk left = before == null || copies.containsKey(before) ? null : disks.remove(before);
    SimDisk disk = left == null ? new SimDisk() : left;
    disks.put(copyId, disk);
    return disk;
  }

  /** The folder of the shard, also if no copy uses it now. */
  Optional<SimDisk> folder(ShardId shard) {
    return Optional.ofNullable(folders.get(shard)).map(disks::get);
  }

  /** The cluster's state if this node has read the cluster log to its end. */
  Optional<ClusterState> stateAtTheEnd() {
    ClusterView current = view;
    boolean whole =
        current != null
            && current.position().current() >= world.logs().partition(World.CLUSTER).endOffset();
    return whole ? Optional.of(current.current()) : Optional.empty();
  }

  /** The time of the last loss of its disk; -1 for none. */
  long diskLostMicros() {
    return diskLostMicros;
  }

  Map<String, SimDisk> disks() {
    return disks;
  }

  /** The open copies, including those that wrongly act as the primary. */
  List<SimCopy> openCopies() {
    List<SimCopy> all = new ArrayList<>(copies.values());
    all.addAll(rogues);
    all.removeIf(copy -> !copy.alive());
    return all;
  }

  @Nullable SimCopy copy(String copyId) {
    SimCopy copy = copies.get(copyId);
    return copy != null && copy.alive() ? copy : null;
  }

  /** The open segment replica with that id. */
  Optional<SegmentReplicaActor> replica(String copyId) {
    return process.isUp() && copies.get(copyId) instanceof SegmentReplicaActor replica
        ? Optional.of(replica)
        : Optional.empty();
  }

  Optional<PrimaryActor> primary(ShardId shard) {
    PrimaryActor found = null;
    for (SimCopy copy : openCopies()) {
      if (copy instanceof PrimaryActor primary
          && primary.shard().equals(shard)
          && (found == null || primary.term() >= found.term())) {
        found = primary;
      }
    }
    return Optional.ofNullable(found);
  }

  /** The re-replication job that has claimed a shard in the present run of the process. */
  ShardRereplication jobs(ShardId shard) {
    return jobs.computeIfAbsent(shard, _ -> new ShardRereplication());
  }

  /** Sends a command to all coordinators; those that do not lead refuse it. */
  void askLeader(ClusterCommand command) {
    world
        .coordinators()
        .forEach(coordinator ->
            world
                .network()
                .send(process, coordinator.process(), () -> coordinator.execute(command)));
  }

  /** Calls {@code changed} after each state of the cluster that this node reads. */
  AutoCloseable listen(Runnable changed) {
    return Objects.requireNonNull(view).listen(_ -> changed.run());
  }

  /**
   * Answers the query of a primary once the copy has reached the position, or the time is over;
   * empty if the copy is not started.
   */
  void holds(
      String copyId, HoldsWire.Question question, Consumer<Optional<HoldsWire.Answer>> reply) {
    SimCopy copy = copy(copyId);
    HeldVersions.Holder holder = copy == null ? null : copy.holder();
    if (copy == null || holder == null) {
      reply.accept(Optional.empty());
      return;
    }
    CompletableFuture<Boolean> reached = copy.held().reached(question.seqNo());
    var _ =
        reached.thenRun(() -> {
          if (copy.alive()) {
            reply.accept(
                Optional.of(answered(copy, HeldVersions.answer(question.versions(), holder))));
          }
        });
    process.after(question.waitMillis() * 1_000 / SimLoop.SPEED, () -> copy.held().forget(reached));
  }

  private HoldsWire.Answer answered(SimCopy copy, HoldsWire.Answer answer) {
    return world.mutated(Mutation.ANSWER_WITH_WHAT_IS_ONLY_READ)
        ? new HoldsWire.Answer(
            answer.copyId(),
            answer.incarnation(),
            answer.term(),
            copy.readSeqNo(),
            answer.verdicts())
        : answer;
  }

  SimStartReports startReports() {
    return reports;
  }

  /** The copy is ready. */
  void announceStarted(SimCopy copy, long term) {
    reports.report(copy, term);
  }

  /**
   * A replica has failed: it is reported as failed, repeatedly, until the cluster state no longer
   * names it as started, and is then reopened.
   */
  @SuppressWarnings("ReferenceEquality") // The same copy may have been reopened since then.
  void replicaFailed(SimCopy copy) {
    if (copies.get(copy.copyId()) != copy) {
      return;
    }
    ShardRouting shard = state().shard(copy.shard()).orElse(null);
    boolean started =
        shard == null
            || shard.everywhere().stream()
                .anyMatch(c -> SimStartReports.isStarted(c, copy.copyId()));
    if (started) {
      reportFailed(copy.shard(), copy.copyId());
      process.after(120_000, () -> replicaFailed(copy));
    } else {
      reopen(copy);
    }
  }

  /** Opens a replica that has failed again, under the same id, with what it has committed. */
  void reopen(SimCopy copy) {
    copy.close();
    copies.remove(copy.copyId());
    follow(state());
  }

  /** Reports the copy as failed, once. */
  void reportFailed(ShardId shard, String copyId) {
    askLeader(
        new ClusterCommand.CopyFailed(
            new ClusterCalls.CopyFailed(shard, copyId, process.toString(), "failed")));
  }
}
