package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.FollowerLease;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.RawRecord;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.PartitionLog;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that exists in one history: clock, chance, network, log, store, processes, and the
 * truth that the judges hold against what they observe.
 */
final class World {

  static final String CLUSTER = "cluster";

  /** Before a process asks the cluster log again where it begins. */
  static final long PAUSE_MICROS = 20_000;

  private static final long RESTART_MICROS = 300_000;

  static final ShardId LEADER = new ShardId("leader", 0);
  static final ShardId FOLLOWER = new ShardId("follower", 0);

  private final WorldShape shape;
  private final Set<Mutation> mutations;
  private final EventQueue queue = new EventQueue();
  private final Random random;
  private final Network network;
  private final Indices indices;
  private final Store store = new Store(queue);
  private final Map<String, SimulatedPartition> partitions = new TreeMap<>();
  private final Map<ShardId, Truth> truths = new HashMap<>();
  private final Map<ShardId, Long> publishedOffsets = new HashMap<>();
  private final Map<ShardId, Lease> leases = new HashMap<>();
  private final Map<String, SimNode> nodes = new LinkedHashMap<>();
  private final List<SimCoordinator> coordinators = new ArrayList<>();
  private final Map<String, Long> publishedMicros = new HashMap<>();
  private final IdentityHashMap<RawRecord, Manifest> manifests = new IdentityHashMap<>();
  private final List<Invariant> invariants;
  private final Clients clients = new Clients(this);
  private final List<String> notes = new ArrayList<>();
  private SimulatedLog.Faults appendFaults = SimulatedLog.Faults.NONE;
  private ClusterState newestState = ClusterState.EMPTY;
  private @Nullable InvariantViolated violation;
  private boolean calm;
  private int ids;
  private @Nullable SimNode rogue;

  World(WorldShape shape, Random random, Set<Mutation> mutations, List<Invariant> invariants) {
    this.shape = shape;
    this.random = random;
    this.mutations = mutations.isEmpty() ? Set.of() : EnumSet.copyOf(mutations);
    this.invariants = invariants;
    this.network = new Network(random);
    this.indices = new Indices(this);
    build();
  }

  private void build() {
    for (int i = 1; i <= shape.coordinators(); i++) {
      coordinators.add(new SimCoordinator(this, "c" + i));
    }
    for (int i = 1; i <= shape.primaryNodes(); i++) {
      add("p" + i, Set.of(NodeInfo.PRIMARY));
    }
    for (int i = 1; i <= shape.replicaNodes(); i++) {
      add("r" + i, Set.of(NodeInfo.REPLICA));
    }
    for (int i = 0; i < 2 * shape.searchReplicas(); i++) {
      add("s" + i, Set.of(NodeInfo.SEARCH));
    }
    if (shape.follower()) {
      lease(LEADER, 0);
      add("f1", Set.of(NodeInfo.CCR));
      add("f2", Set.of(NodeInfo.CCR));
    }
  }

  private void add(String nodeId, Set<String> roles) {
    nodes.put(nodeId, new SimNode(this, nodeId, roles));
  }

  void start() {
    coordinators.forEach(SimCoordinator::start);
    nodes.values().forEach(SimNode::start);
  }

  Indices indices() {
    return indices;
  }

  /** The shards of the indices that exist. */
  List<ShardId> shards() {
    return indices.shards();
  }

  /** The shard that clients write to. */
  ShardId leaderShard() {
    return indices.leaderShard();
  }

  String newId() {
    return "copy" + ids++;
  }

  static String ops(ShardId shard) {
    return "ops." + shard.indexUuid();
  }

  static String manifests(ShardId shard) {
    return "manifests." + shard.indexUuid();
  }

  PartitionLog open(String topic, SimProcess process, String writer) {
    return new SimulatedLog(partition(topic), process, this, writer);
  }

  SimulatedPartition partition(String topic) {
    return partitions.computeIfAbsent(
        topic, name -> new SimulatedPartition(name, 0, queue, this::landed));
  }

  Iterable<SimulatedPartition> partitions() {
    return partitions.values();
  }

  private void landed(SimulatedPartition partition, StoredRecord stored, String writer) {
    if (partition.topic().equals(CLUSTER)) {
      indices.clusterLogLanded(stored);
    }
    ShardId written = shardOf(partition, "ops.");
    if (written != null) {
      truth(written).landed(stored, writer);
      observe(new Observation.Landed(written, stored.offset()));
    }
    ShardId published = shardOf(partition, "manifests.");
    if (published != null) {
      Manifest manifest = manifest(stored);
      publishedOffsets.merge(published, manifest.nextOffset(), Math::max);
      store.landed(manifest);
    }
  }

  private static @Nullable ShardId shardOf(SimulatedPartition partition, String prefix) {
    return partition.topic().startsWith(prefix)
        ? new ShardId(partition.topic().substring(prefix.length()), 0)
        : null;
  }

  /** The offset that the manifests of a shard reach to. */
  long publishedOffset(ShardId shard) {
    return publishedOffsets.getOrDefault(shard, 0L);
  }

  Manifest manifest(StoredRecord stored) {
    return manifests.computeIfAbsent(
        stored.record(),
        record -> Json.read(Objects.requireNonNull(record.value(), "a manifest"), Manifest.class));
  }

  /** A violation ends the history, also where production catches what its callees throw. */
  void observe(Observation observation) {
    try {
      for (Invariant invariant : invariants) {
        invariant.observe(observation, this);
      }
    } catch (InvariantViolated e) {
      violation = violation == null ? e : violation;
      throw e;
    }
  }

  /** Runs everything that happens up to that time. */
  void runUntil(long micros) {
    while (violation == null && queue.runNext(micros)) {
      // Each event is its own step; the invariants observe from within.
    }
    if (violation != null) {
      throw violation;
    }
  }

  /** The newest state that any coordinator has read: one that leads may be behind it. */
  ClusterState newestState() {
    return newestState;
  }

  /** A coordinator has read another state of the cluster, perhaps long after others. */
  void routed(ClusterState state) {
    observe(new Observation.ClusterRead(state));
    if (state.version() <= newestState.version()) {
      return;
    }
    for (ShardId shard : shards()) {
      ShardRouting before = newestState.shard(shard).orElse(null);
      ShardRouting now = state.shard(shard).orElse(null);
      if (now != null && !now.equals(before)) {
        boolean served =
            before != null
                && newestState.active(before.primary())
                && state.nodes().containsKey(before.primary().nodeId());
        observe(new Observation.Routed(before, now, served));
      }
    }
    newestState = state;
  }

  /**
   * A process may give up the cluster log only if it fell behind the log's start and then could not
   * ask where the log begins. A log that can be asked has lost records that it should hold.
   */
  void requireUnreachableLog(SimProcess process, String reason) {
    if (partition(CLUSTER).available() && network.connected(process.name(), Network.LOG)) {
      throw new IllegalStateException(process + " gives up the cluster log: " + reason);
    }
    note(process + " gives up the cluster log: " + reason);
  }

  /** What a supervisor does with a process that reports that it is down. */
  void restartLater(SimProcess process, Runnable start) {
    queue.after(
        RESTART_MICROS,
        () -> {
          if (!process.isUp()) {
            note("restart " + process);
            start.run();
          }
        });
  }

  /** For whoever reads a failing history. */
  void note(String text) {
    notes.add(queue.nowMillis() + " " + text);
  }

  List<String> notes() {
    return notes;
  }

  Truth truth(ShardId shard) {
    return truths.computeIfAbsent(shard, _ -> new Truth());
  }

  SimNode node(String nodeId) {
    return Objects.requireNonNull(nodes.get(nodeId), nodeId);
  }

  Iterable<SimNode> nodes() {
    return nodes.values();
  }

  List<SimCoordinator> coordinators() {
    return coordinators;
  }

  /** The leader that could decide now, if there is one. */
  @Nullable SimCoordinator leader() {
    for (SimCoordinator coordinator : coordinators) {
      if (coordinator.leads()) {
        return coordinator;
      }
    }
    return null;
  }

  /** Through the log: in the order of one sender, to every coordinator that can read. */
  void tellCoordinators(SimProcess from, Consumer<SimCoordinator> message) {
    if (!network.connected(from.name(), Network.LOG)) {
      return;
    }
    long at =
        Math.max(
            publishedMicros.getOrDefault(from.name(), 0L) + 1,
            queue.nowMicros() + network.latencyMicros());
    publishedMicros.put(from.name(), at);
    for (SimCoordinator coordinator : coordinators) {
      if (network.connected(coordinator.process().name(), Network.LOG)) {
        coordinator.process().receive(at - queue.nowMicros(), () -> message.accept(coordinator));
      }
    }
  }

  /** The fault of a doubly assigned term. */
  void maybeAssignTwice(SimNode rightful, ShardId shard, long term) {
    if (calm || random.nextDouble() >= shape.doubleTerms()) {
      return;
    }
    for (SimNode other : nodes.values()) {
      if (other != rightful && other.roles().contains(NodeInfo.PRIMARY)) {
        rogue = other;
        other.process().receive(random.nextInt(4_000), () -> other.openRogue(shard, term));
        note("term " + term + " of " + shard + " is also told to " + other.nodeId());
        return;
      }
    }
  }

  /** A node that was told of a term that another has; clients may ask it too. */
  @Nullable SimNode rogue() {
    return calm ? null : rogue;
  }

  /** Whether a call to the segment store fails now: a put, a get or a list. */
  boolean storeFails() {
    return !calm && (!store.available() || random.nextDouble() < shape.badTransfers());
  }

  boolean answerIsTruncated() {
    return !calm && random.nextDouble() < shape.badTransfers();
  }

  boolean deliversTwice() {
    return !calm && random.nextDouble() < shape.doubleDeliveries();
  }

  void appendFaults(SimulatedLog.Faults faults) {
    appendFaults = faults;
  }

  SimulatedLog.Faults appendFaults() {
    return calm ? SimulatedLog.Faults.NONE : appendFaults;
  }

  Clients clients() {
    return clients;
  }

  /** The copies that the leader's routing names and that are open where it says. */
  List<SimCopy> routedCopies(ShardId shard) {
    SimCoordinator leader = leader();
    List<SimCopy> found = new ArrayList<>();
    if (leader != null) {
      leader
          .state()
          .shard(shard)
          .ifPresent(routing -> {
            for (CopyRouting copy : routing.copies()) {
              String nodeId = copy.nodeId();
              SimCopy open = nodeId == null ? null : node(nodeId).copy(copy.copyId());
              if (open != null) {
                found.add(open);
              }
            }
          });
    }
    return found;
  }

  /** From now on nothing fails by itself. */
  void becomeCalm() {
    calm = true;
  }

  boolean mutated(Mutation mutation) {
    return mutations.contains(mutation);
  }

  boolean judgesCarelessly() {
    return mutated(Mutation.ACCEPT_STALE_TERMS) || mutated(Mutation.SKIP_DENSITY);
  }

  Set<Mutation> mutations() {
    return mutations;
  }

  WorldShape shape() {
    return shape;
  }

  EventQueue queue() {
    return queue;
  }

  Random random() {
    return random;
  }

  Network network() {
    return network;
  }

  Store store() {
    return store;
  }

  /** Part of the manifests' topic: what clusters that follow need, and since when they say so. */
  record Lease(ManifestRecord.Leased record, long renewedMillis) {}

  void lease(ShardId shard, long fromOffset) {
    leases.put(
        shard,
        new Lease(
            new ManifestRecord.Leased(new FollowerLease(shard, "remote", fromOffset)),
            queue.nowMillis()));
  }

  Optional<Lease> lease(ShardId shard) {
    return Optional.ofNullable(leases.get(shard));
  }
}
