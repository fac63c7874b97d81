package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.log.PartitionLog;
import io.varve.rpc.LeaseRenewal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that exists in one history: virtual time, randomness, network, logs, store, processes,
 * and the invariants that observe them.
 */
final class World {

  static final String CLUSTER = "cluster";

  /** Delay before a process asks the cluster log again for its start. */
  static final long PAUSE_MICROS = 20_000;

  private static final long RESTART_MICROS = 300_000;

  static final ShardId LEADER = new ShardId("leader", 0);
  static final ShardId FOLLOWER = new ShardId("follower", 0);

  /** The name of the index that replaces the leader, and follows the promoted follower. */
  static final ShardId FAILED_BACK = new ShardId("follower-of-the-follower", 0);

  /** Whether the shard is of the following index, or of one that replaces it. */
  static boolean isFollower(ShardId shard) {
    return shard.indexUuid().startsWith(FOLLOWER.indexUuid());
  }

  private final WorldShape shape;
  private final Set<Mutation> mutations;
  private final EventQueue queue = new EventQueue();
  private final Random random;
  private final Network network;
  private final Indices indices;
  private final Store store = new Store(queue);
  private final RandomFaults faults;
  private final Logs logs = new Logs(this);
  private final Map<String, SimNode> nodes = new LinkedHashMap<>();
  private final List<SimCoordinator> coordinators = new ArrayList<>();
  private final List<Invariant> invariants;
  private final Clients clients = new Clients(this);
  private final RemoteLeader remote;
  private final List<String> notes = new ArrayList<>();
  private ClusterState newestState = ClusterState.EMPTY;
  private @Nullable InvariantViolated violation;
  private boolean commitsWhatTheLogLost;
  private int ids;

  World(WorldShape shape, Random random, Set<Mutation> mutations, List<Invariant> invariants) {
    this.shape = shape;
    this.random = random;
    this.mutations = mutations.isEmpty() ? Set.of() : EnumSet.copyOf(mutations);
    this.invariants = invariants;
    this.network = new Network(random);
    this.indices = new Indices(this);
    this.faults = new RandomFaults(this);
    this.remote = new RemoteLeader(this);
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
      add("f1", Set.of(NodeInfo.CCR));
      add("f2", Set.of(NodeInfo.CCR));
    }
  }

  private void add(String nodeId, Set<String> roles) {
    nodes.put(nodeId, new SimNode(this, nodeId, roles));
  }

  void start() {
    if (shape.followsARemote()) {
      remote.start();
    }
    coordinators.forEach(SimCoordinator::start);
    nodes.values().forEach(SimNode::start);
    indices.requestMissing();
  }

  Logs logs() {
    return logs;
  }

  Indices indices() {
    return indices;
  }

  /** The shards of the existing indices. */
  List<ShardId> shards() {
    return indices.shards();
  }

  /** The shard that clients write to. */
  ShardId leaderShard() {
    return indices.leaderShard();
  }

  /** The shard that the following index pulls. */
  ShardId followed() {
    return shape.followsARemote() ? RemoteLeader.SHARD : LEADER;
  }

  /** The shard that a follower's shard pulls. */
  ShardId leaderOf(ShardId follower) {
    return follower.equals(FAILED_BACK) ? FOLLOWER : followed();
  }

  /** The topic of the log that a follower pulls. */
  static String followedTopic(ShardId leader) {
    return leader.equals(RemoteLeader.SHARD) ? RemoteLeader.TOPIC : ops(leader);
  }

  /** The contents of the followed log, newest last; each restoration begins another history. */
  List<AcceptedLog> historiesFollowedBy(ShardId follower) {
    return shape.followsARemote()
        ? remote.histories()
        : List.of(logs.acceptedLog(leaderOf(follower)));
  }

  RemoteLeader remote() {
    return remote;
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

  /**
   * From now on, copies commit their applied operations when they detect that the log has lost its
   * end.
   */
  void commitWhatTheLogLost() {
    commitsWhatTheLogLost = true;
  }

  boolean commitsWhatTheLogLost() {
    return commitsWhatTheLogLost;
  }

  /** In production part of the manifests topic. */
  static String replicated(ShardId shard) {
    return "replicated." + shard.indexUuid();
  }

  PartitionLog open(String topic, SimProcess process, String writer) {
    return new SimulatedLog(logs.partition(topic), process, this, writer);
  }

  /**
   * Passes an observation to all invariants. A violation ends the history, even where production
   * code catches exceptions of its callees.
   */
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

  /** Runs all events up to that time. */
  void runUntil(long micros) {
    while (violation == null && queue.runNext(micros)) {
      // Invariants are checked by observe().
    }
    if (violation != null) {
      throw violation;
    }
  }

  /** The newest state that any coordinator has read; the leader's state may be older. */
  ClusterState newestState() {
    return newestState;
  }

  /** A coordinator has read a newer state of the cluster, possibly long after others. */
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
   * Checks that a process has a reason to stop reading the cluster log: its position is before the
   * start of the log, and it could not read where the log starts. If the log is reachable, it has
   * lost records that it should hold.
   */
  void requireUnreachableLog(SimProcess process, String reason) {
    if (logs.partition(CLUSTER).available()
        && network.connected(process.name(), Network.LOG)
        && network.connected(process.name(), Network.CLUSTER_TOPICS)) {
      throw new IllegalStateException(process + " gives up the cluster log: " + reason);
    }
    note(process + " gives up the cluster log: " + reason);
  }

  /** Restarts a process that is down after some time, as a supervisor does. */
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

  /** Adds a line to the trace that is printed when a history fails. */
  void note(String text) {
    notes.add(queue.nowMillis() + " " + text);
  }

  List<String> notes() {
    return notes;
  }

  SimNode node(String nodeId) {
    return Objects.requireNonNull(nodes.get(nodeId), nodeId);
  }

  Stream<SimNode> pullers() {
    return nodes.values().stream().filter(node -> node.roles().contains(NodeInfo.CCR));
  }

  Iterable<SimNode> nodes() {
    return nodes.values();
  }

  /** The process that announces this address. */
  SimProcess processAt(String url) {
    return Stream.concat(
            coordinators.stream().map(SimCoordinator::process),
            nodes.values().stream().map(SimNode::process))
        .filter(process -> SimHeartbeats.url(process).equals(url))
        .findFirst()
        .orElseThrow();
  }

  List<SimCoordinator> coordinators() {
    return coordinators;
  }

  /** The coordinator that leads now, if there is one. */
  @Nullable SimCoordinator leader() {
    for (SimCoordinator coordinator : coordinators) {
      if (coordinator.leads()) {
        return coordinator;
      }
    }
    return null;
  }

  RandomFaults faults() {
    return faults;
  }

  Clients clients() {
    return clients;
  }

  /** The copies in the leader's routing that are open on their node. */
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

  /**
   * A puller sends a renewal of its lease to the coordinators of the followed cluster.
   *
   * @param unanswered called instead of {@code answered} if no coordinator answers
   */
  void leaseRequests(
      SimNode puller,
      LeaseRenewal request,
      Consumer<RemoteCluster.Lease> answered,
      Runnable unanswered) {
    SimCoordinator leading = leader();
    if (shape.followsARemote()) {
      boolean connected = network.connected(puller.nodeId(), Network.REMOTE);
      puller
          .process()
          .after(
              network.latencyMicros(),
              connected ? () -> answered.accept(remote.leases().renew(request)) : unanswered);
    } else if (leading == null) {
      puller.process().after(PAUSE_MICROS, unanswered);
    } else {
      network.<RemoteCluster.Lease>call(
          puller.process(),
          leading.process(),
          reply -> leading.renewLease(request, reply),
          answered,
          unanswered);
    }
  }
}
