package io.varve.coordinator.rest;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import io.varve.events.ShardId;
import io.varve.log.OffsetWatcher;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A cluster in memory: one coordinator, one shard-service and one replication-service. */
public class FakeCluster implements ClusterAccess {

  public static final String PRIMARY_NODE = "primary-node";
  public static final String REPLICA_NODE = "replica-node";
  public static final long TERM = 7;
  private static final Duration FOR_NEWS = Duration.ofMinutes(1);

  private final OffsetWatcher version = new OffsetWatcher(0);
  private final List<ClusterCommand> commands = new CopyOnWriteArrayList<>();
  private final Map<String, CopyProgress> progress = new TreeMap<>();
  private final Map<String, String> incarnations = new ConcurrentHashMap<>();
  private final List<Runnable> onHeard = new CopyOnWriteArrayList<>();
  private final List<Consumer<ClusterState>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong stoppedNanos = new AtomicLong();
  private volatile boolean clockIsStopped;
  private volatile boolean anotherLags;
  private volatile Duration logAnswersAfter = Duration.ZERO;
  private final AtomicInteger acknowledgementsAwaited = new AtomicInteger();
  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
  private volatile ClusterState state =
      new ClusterState(
          "test",
          "cluster-uuid",
          1,
          1,
          "coordinator-node",
          Map.of(
              "coordinator-node",
              node("coordinator-node", NodeInfo.COORDINATOR, 9200),
              PRIMARY_NODE,
              node(PRIMARY_NODE, NodeInfo.PRIMARY, 9301),
              REPLICA_NODE,
              node(REPLICA_NODE, NodeInfo.REPLICA, 9302)),
          Map.of(),
          Map.of(),
          Map.of());

  private static NodeInfo node(String id, String role, int port) {
    return new NodeInfo(id, id, "incarnation", Set.of(role), "http://127.0.0.1:" + port);
  }

  /** An index whose shards have a started primary and one started replica each. */
  public FakeCluster index(String name, int shards) {
    return index(name, shards, Map.of());
  }

  public FakeCluster index(String name, int shards, Map<String, String> settings) {
    List<ShardRouting> routing = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      routing.add(
          new ShardRouting(
              new ShardId(name + "-uuid", i),
              TERM,
              List.of(
                  started(name + i + "p", true, PRIMARY_NODE),
                  started(name + i + "r", false, REPLICA_NODE))));
    }
    IndexMetadata index =
        new IndexMetadata(
            name, name + "-uuid", 1_700_000_000_000L, settings, 1, "{}", 1, null, routing);
    change(s -> withIndex(s, index));
    return this;
  }

  private static CopyRouting started(String copyId, boolean primary, String node) {
    return new CopyRouting(copyId, primary, CopyRouting.State.STARTED, node, "");
  }

  private static ClusterState withIndex(ClusterState state, IndexMetadata index) {
    Map<String, IndexMetadata> indices = new TreeMap<>(state.indices());
    indices.put(index.name(), index);
    return copy(state, state.nodes(), indices);
  }

  public static ClusterState copy(
      ClusterState state, Map<String, NodeInfo> nodes, Map<String, IndexMetadata> indices) {
    return new ClusterState(
        state.clusterName(),
        state.clusterUuid(),
        state.version() + 1,
        state.leaderTerm(),
        state.leaderNodeId(),
        nodes,
        indices,
        state.persistentSettings(),
        state.transientSettings(),
        state.templates(),
        state.featureLevel(),
        state.autoFollow(),
        state.memberSince());
  }

  /** Sets the state of all copies of an index. */
  public void all(String index, boolean primaries, CopyRouting.State copyState) {
    change(s -> {
      IndexMetadata old = s.indices().get(index);
      return withIndex(
          s,
          old.withShards(shard ->
              shard.withCopies(copy -> copy.primary() == primaries ? copy.in(copyState) : copy)));
    });
  }

  /** Promotes the replica of shard 0 in the next term; it is not open yet. */
  public void promote(String index) {
    ShardRouting shard = state.indices().get(index).shard(0);
    String replica = shard.replicas().getFirst().copyId();
    change(s ->
        s.apply(
            new ClusterEvent.ReplicaPromoted(
                shard.shard(), replica, shard.primaryTerm() + 1, "NODE_LEFT")));
  }

  /** The index is new: its copies are assigned, and none was ever started. */
  public void neverStarted(String index) {
    change(s ->
        withIndex(
            s,
            s.indices()
                .get(index)
                .withShards(shard ->
                    new ShardRouting(
                        shard.shard(),
                        shard.primaryTerm(),
                        shard.copies().stream()
                            .map(copy -> copy.in(CopyRouting.State.INITIALIZING))
                            .toList(),
                        List.of(),
                        null,
                        true))));
  }

  /** Starts the primary of shard 0. */
  public void startPrimary(String index) {
    ShardRouting shard = state.indices().get(index).shard(0);
    change(s ->
        s.apply(
            new ClusterEvent.CopyStarted(
                shard.shard(), shard.primary().copyId(), shard.primaryTerm())));
  }

  /** The nodes of all copies of the shard have left. */
  public void lose(String index, int number) {
    change(s ->
        withIndex(
            s,
            s.indices()
                .get(index)
                .withShards(shard ->
                    shard.shard().number() == number
                        ? shard.withCopies(copy -> copy.unassigned("NODE_LEFT"))
                        : shard)));
  }

  /** Removes the node from the members. */
  public void leave(String nodeId) {
    change(s -> {
      Map<String, NodeInfo> left = new TreeMap<>(s.nodes());
      left.remove(nodeId);
      return copy(s, left, s.indices());
    });
  }

  /** Replaces the node, or adds it again. */
  public void node(String nodeId, UnaryOperator<NodeInfo> changed) {
    change(s -> {
      Map<String, NodeInfo> nodes = new TreeMap<>(s.nodes());
      nodes.put(nodeId, changed.apply(nodes.get(nodeId)));
      return copy(s, nodes, s.indices());
    });
  }

  public void setting(String name, String value) {
    change(s -> {
      Map<String, String> settings = new TreeMap<>(s.persistentSettings());
      settings.put(name, value);
      return new ClusterState(
          s.clusterName(),
          s.clusterUuid(),
          s.version() + 1,
          s.leaderTerm(),
          s.leaderNodeId(),
          s.nodes(),
          s.indices(),
          settings,
          Map.of(),
          s.templates(),
          s.featureLevel(),
          s.autoFollow(),
          s.memberSince());
    });
  }

  /** Copies are searched round-robin and never concurrently, however slow this machine is. */
  public void searchedInTurn() {
    setting(ClusterSettings.ADAPTIVE_SELECTION, "false");
    setting(ClusterSettings.HEDGING_BUDGET, "0");
  }

  public synchronized void change(UnaryOperator<ClusterState> change) {
    state = change.apply(state);
    version.advanceTo(state.version());
    listeners.forEach(listener -> listener.accept(state));
  }

  public void progress(CopyProgress news) {
    progress.put(news.copyId(), news);
  }

  public List<ClusterCommand> commands() {
    return commands;
  }

  @Override
  public ClusterState state() {
    return state;
  }

  /**
   * From now on, time advances only when a caller waits for a version that does not exist:
   * immediately, by the maximum of the wait. Waits of a minute or more, such as those of background
   * threads, really wait for a change and do not advance the time.
   */
  public void stopClock() {
    clockIsStopped = true;
  }

  /** Advances the stopped clock. */
  public void pass(Duration time) {
    stoppedNanos.addAndGet(time.toNanos());
  }

  @Override
  public Ticker clock() {
    return () -> clockIsStopped ? stoppedNanos.get() : System.nanoTime();
  }

  @Override
  public boolean awaitVersion(long target, Duration timeout) throws InterruptedException {
    if (!clockIsStopped || timeout.compareTo(FOR_NEWS) >= 0) {
      return version.await(target, timeout);
    }
    boolean reached = version.current() >= target;
    if (!reached) {
      pass(timeout);
    }
    return reached;
  }

  @Override
  public ClusterView.Registration listen(Consumer<ClusterState> listener) {
    listeners.add(listener);
    listener.accept(state);
    return () -> listeners.remove(listener);
  }

  @Override
  public void change(ClusterCommand command, Duration timeout) {
    commands.add(command);
    if (command instanceof ClusterCommand.CreateIndex create) {
      if (state.indices().containsKey(create.name())) {
        throw new ApiException(400, "resource_already_exists_exception", "index already exists");
      }
      index(create.name(), 1);
    }
  }

  /** From now on, another coordinator lags behind this one. */
  public void anotherCoordinatorLags() {
    anotherLags = true;
  }

  @Override
  public boolean awaitAcknowledged(Duration timeout) {
    acknowledgementsAwaited.incrementAndGet();
    return !anotherLags;
  }

  /** How often requests have waited for the other coordinators. */
  public int acknowledgementsAwaited() {
    return acknowledgementsAwaited.get();
  }

  /** From now on, the end of the cluster log is known that long after each request for it. */
  public void delayLog(Duration time) {
    logAnswersAfter = time;
  }

  /** This coordinator reads that news only when it reads the cluster log up to its end. */
  public void inTheLog(Runnable change) {
    news.add(change);
  }

  @Override
  public boolean awaitCurrentState(Duration timeout) {
    if (timeout.compareTo(logAnswersAfter) < 0) {
      pass(timeout);
      return false;
    }
    pass(logAnswersAfter);
    for (Runnable change = news.poll(); change != null; change = news.poll()) {
      change.run();
    }
    return true;
  }

  @Override
  public Optional<CopyProgress> progress(String copyId) {
    return Optional.ofNullable(progress.get(copyId));
  }

  @Override
  public Map<String, NodeHeartbeat> heartbeats() {
    Map<String, NodeHeartbeat> heartbeats = new TreeMap<>();
    state.nodes().forEach((id, node) -> heartbeats.put(id, heartbeat(node, incarnations.get(id))));
    return heartbeats;
  }

  private static NodeHeartbeat heartbeat(NodeInfo node, @Nullable String incarnation) {
    return new NodeHeartbeat(
        node.nodeId(),
        node.name(),
        incarnation == null ? node.incarnation() : incarnation,
        node.roles(),
        node.url(),
        1_700_000_000_000L,
        new NodeHeartbeat.Load(
            0.25, 1 << 20, 4 << 20, 6 << 20, 8 << 20, 0.5, 100 << 20, 75 << 20, 42, 1_000));
  }

  /** From now on, the node's heartbeats come from that process. */
  public void heard(String nodeId, String incarnation) {
    incarnations.put(nodeId, incarnation);
    onHeard.forEach(Runnable::run);
  }

  @Override
  public ClusterView.Registration onFirstHeartbeat(Runnable listener) {
    onHeard.add(listener);
    return () -> onHeard.remove(listener);
  }

  @Override
  public String localNodeId() {
    return "coordinator-node";
  }

  @Override
  public String localNodeName() {
    return "coordinator-node";
  }

  /** The node of a copy, for tests that check where a request was sent. */
  public @Nullable String nodeOf(String copyId) {
    return state.indices().values().stream()
        .flatMap(index -> index.shards().stream())
        .flatMap(shard -> shard.copies().stream())
        .filter(copy -> copy.copyId().equals(copyId))
        .map(CopyRouting::nodeId)
        .findFirst()
        .orElse(null);
  }
}
